-- Requests that their clients may send again, and what they were answered.

-- place and content are keyed hashes: neither the client's key nor path or body is here. running_until
-- is of a request that was announced and not answered yet; answer_until of an answer that goes before
-- the request does. Nodes of earlier versions do not know of the table, and delete tenants and
-- applications all the same.
CREATE TABLE keyed_request (
  tenant_id          uuid NOT NULL REFERENCES tenant ON DELETE CASCADE,
  request_id         uuid NOT NULL,
  application_id     uuid NOT NULL,
  place              text COLLATE "C" NOT NULL,
  content            text COLLATE "C" NOT NULL,
  running_until      timestamptz,
  answer             bytea,
  answer_key_version integer,
  answer_until       timestamptz,
  subjects           text[] NOT NULL DEFAULT '{}',
  created_at         timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at         timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, request_id),
  UNIQUE (tenant_id, application_id, place),
  FOREIGN KEY (tenant_id, application_id) REFERENCES application ON DELETE CASCADE,
  CHECK ((answer IS NULL) = (answer_key_version IS NULL)),
  CHECK (answer IS NULL OR running_until IS NULL)
);

CREATE INDEX keyed_request_expiry ON keyed_request (expires_at);
CREATE INDEX keyed_request_answer_end ON keyed_request (answer_until)
  WHERE answer_until IS NOT NULL AND answer IS NOT NULL;
CREATE INDEX keyed_request_answer_key_version ON keyed_request (tenant_id, answer_key_version)
  WHERE answer IS NOT NULL;

-- The same as before, with the new table. Who may execute it stays as it is.
CREATE OR REPLACE FUNCTION grant_runtime(runtime name) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO %I', '${flyway:defaultSchema}', runtime);
  EXECUTE format(
    'GRANT SELECT, INSERT, UPDATE, DELETE ON'
      || ' %1$I.tenant, %1$I.tenant_key, %1$I.application, %1$I.credential, %1$I.proxy, %1$I.token,'
      || ' %1$I.key_proof, %1$I.node_keyset, %1$I.container_binding, %1$I.keyed_request TO %2$I',
    '${flyway:defaultSchema}', runtime);
  -- An owner that serves requests itself keeps what it has as the owner.
  IF NOT pg_has_role(runtime, current_user, 'USAGE') THEN
    EXECUTE format(
      'REVOKE ALL ON %1$I.audit_entry, %1$I.audit_seal, %1$I.audit_drop FROM %2$I',
      '${flyway:defaultSchema}', runtime);
  END IF;
  EXECUTE format(
    'GRANT SELECT, INSERT (tenant_id, created_at, actor_id, actor_type, entity_type, entity_id,'
      || ' operation, message, entry_id, mac, mac_key) ON %1$I.audit_entry TO %2$I',
    '${flyway:defaultSchema}', runtime);
  EXECUTE format(
    'GRANT SELECT, INSERT (tenant_id, number, times, sequences, head, mac, mac_key, sealed_at)'
      || ' ON %1$I.audit_seal TO %2$I',
    '${flyway:defaultSchema}', runtime);
  EXECUTE format(
    'GRANT SELECT ON %1$I.audit_drop, %1$I.flyway_schema_history TO %2$I',
    '${flyway:defaultSchema}', runtime);
  EXECUTE format(
    'GRANT SELECT, UPDATE ON %1$I.audit_sealer TO %2$I', '${flyway:defaultSchema}', runtime);
  EXECUTE format(
    'GRANT SELECT, INSERT, UPDATE ON %1$I.audit_stream TO %2$I',
    '${flyway:defaultSchema}', runtime);
  EXECUTE format(
    'GRANT USAGE ON SEQUENCE %1$I.token_version, %1$I.audit_entry_sequence,'
      || ' %1$I.audit_seal_position TO %2$I',
    '${flyway:defaultSchema}', runtime);
  EXECUTE format(
    'GRANT EXECUTE ON FUNCTION %1$I.ensure_audit_partitions(integer), %1$I.database_cluster(),'
      || ' %1$I.hold_audit_writers() TO %2$I',
    '${flyway:defaultSchema}', runtime);
END
$$;
