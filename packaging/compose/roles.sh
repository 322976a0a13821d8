#!/bin/sh
# Creates the two roles of the vault and its database; docs/deployment.md#postgresql. The image of
# PostgreSQL runs it once.
set -eu
psql --username "${POSTGRES_USER:-postgres}" --dbname postgres --set ON_ERROR_STOP=1 \
  --set owner="$(cat /setup/owner-password)" --set runtime="$(cat /setup/runtime-password)" <<'SQL'
CREATE ROLE vault_owner LOGIN PASSWORD :'owner';
CREATE ROLE vault_runtime LOGIN PASSWORD :'runtime';
CREATE DATABASE vault OWNER vault_owner;
REVOKE ALL ON DATABASE vault FROM PUBLIC;
GRANT CONNECT ON DATABASE vault TO vault_runtime;
SQL
