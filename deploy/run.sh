#!/bin/sh
# Runs a command as the market's user, in its folder and with its settings: /opt/youshi/deploy/run.sh npm run doctor
# Values are taken as they are, as systemd does: a shell that reads the file itself would stumble over spaces, & and $.
set -eu
[ $# -gt 0 ] || { echo "usage: $0 command …" >&2; exit 2; }
while IFS= read -r line || [ -n "$line" ]; do
	case $line in '' | '#'*) ;; *=*) export "$line" ;; esac
done <"${YOUSHI_ENV:-/etc/youshi/env}"
export NODE_ENV=production HOME=/var/lib/youshi
cd "$(dirname "$0")/.."
exec runuser -u "${YOUSHI_USER:-youshi}" -- "$@"
