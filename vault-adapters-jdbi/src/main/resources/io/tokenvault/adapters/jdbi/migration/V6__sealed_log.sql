-- Tamper evidence of the log: every entry carries a keyed MAC, and the entries that were committed
-- are chained, per tenant, by seals. Only additions: a node of the version before, which knows
-- nothing of this, can still write entries; they have no MAC, but are sealed like all others.

-- entry_id, mac and mac_key come from the application; null in entries of older versions.
-- transaction_id tells which entries a snapshot of the database saw. It is null in rows that are
-- here already: the column comes first and its default then, so that no row is written anew.
ALTER TABLE audit_entry
  ADD COLUMN entry_id       uuid,
  ADD COLUMN mac            bytea,
  ADD COLUMN mac_key        integer,
  ADD COLUMN transaction_id xid8;
ALTER TABLE audit_entry ALTER COLUMN transaction_id SET DEFAULT pg_current_xact_id();
-- Always added to at its end. Partitions that are made later get it when they are attached.
CREATE INDEX audit_entry_by_transaction ON audit_entry (transaction_id)
  WHERE transaction_id IS NOT NULL;

-- The chain of a tenant. A seal names entries of one month (UTC), in an order of its own, by the
-- rest of their primary key: times[i] and sequences[i] are of one entry. No entry is named twice.
-- head: hash over the head before, the number, and every column of the entries but transaction_id.
-- mac: over the tenant, the number, what is named and the head.
CREATE TABLE audit_seal (
  tenant_id uuid NOT NULL,
  number    bigint NOT NULL CHECK (number > 0),
  times     timestamptz[] NOT NULL,
  sequences bigint[] NOT NULL,
  head      bytea NOT NULL,
  mac       bytea NOT NULL,
  mac_key   integer NOT NULL,
  sealed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant_id, number),
  CHECK (cardinality(times) = cardinality(sequences) AND cardinality(times) > 0)
);

-- Months whose entries were dropped by the vault's own command, of all tenants. Seals stay: they
-- keep the chain verifiable. A month may be dropped when all its entries are sealed; the row comes
-- in the transaction that drops the partition.
-- month: its first day. entries: how many there were. mac: over the other columns.
CREATE TABLE audit_drop (
  month      date PRIMARY KEY CHECK (month = date_trunc('month', month)),
  entries    bigint NOT NULL,
  dropped_at timestamptz NOT NULL,
  mac        bytea NOT NULL,
  mac_key    integer NOT NULL
);

CREATE TRIGGER audit_seal_is_final BEFORE UPDATE OR DELETE ON audit_seal
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_seal_stays BEFORE TRUNCATE ON audit_seal
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_drop_is_final BEFORE UPDATE OR DELETE ON audit_drop
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_drop_stays BEFORE TRUNCATE ON audit_drop
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- How far the seals have come; one row. Sealed are, apart from what the rest of this says: entries
-- up to floor_sequence, and those whose transaction sealed_snapshot saw.
-- target_*: a round that is too large for one transaction: entries whose transaction
--   target_snapshot saw are being sealed, and are up to (target_transaction, target_sequence).
-- oldest_*: entries without a transaction_id are being sealed, and are up to this primary key;
--   null when all are.
-- restored_since: after the rows came to another cluster by a dump, where transactions are counted
--   anew, entries up to floor_sequence from that time on may have no seal yet; null when all have.
-- cluster: the identity of the cluster that the snapshots are of.
CREATE TABLE audit_sealer (
  only_row           boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  cluster            bigint NOT NULL,
  floor_sequence     bigint NOT NULL,
  sealed_snapshot    pg_snapshot NOT NULL,
  sealed_at          timestamptz NOT NULL,
  target_snapshot    pg_snapshot,
  target_at          timestamptz,
  target_transaction xid8,
  target_sequence    bigint,
  oldest_tenant      uuid,
  oldest_time        timestamptz,
  oldest_sequence    bigint,
  restored_since     timestamptz
);

CREATE FUNCTION database_cluster() RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS 'SELECT system_identifier FROM pg_control_system()';
REVOKE ALL ON FUNCTION database_cluster() FROM PUBLIC;

-- Keeps writers out of the log until the end of the transaction, and gives the last sequence that
-- any entry can have by then: who takes one holds the lock that is waited for here.
CREATE FUNCTION hold_audit_writers() RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET lock_timeout = '2s'
AS $$
DECLARE
  last_sequence bigint;
BEGIN
  EXECUTE format('LOCK TABLE %I.audit_entry IN SHARE MODE', '${flyway:defaultSchema}');
  EXECUTE format(
    'SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM %I.audit_entry_sequence',
    '${flyway:defaultSchema}') INTO last_sequence;
  RETURN last_sequence;
END
$$;
REVOKE ALL ON FUNCTION hold_audit_writers() FROM PUBLIC;

-- The rows that are here have no transaction_id. No writer is at work: ALTER TABLE keeps them out.
INSERT INTO audit_sealer (
  cluster, floor_sequence, sealed_snapshot, sealed_at, oldest_tenant, oldest_time, oldest_sequence)
SELECT database_cluster(), CASE WHEN is_called THEN last_value ELSE 0 END, pg_current_snapshot(),
       clock_timestamp(), '00000000-0000-0000-0000-000000000000', '-infinity', 0
FROM audit_entry_sequence;

-- The same as before, with what is new. Who may execute it stays as it is.
CREATE OR REPLACE FUNCTION grant_runtime(runtime name) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO %I', '${flyway:defaultSchema}', runtime);
  EXECUTE format(
    'GRANT SELECT, INSERT, UPDATE, DELETE ON'
      || ' %1$I.tenant, %1$I.tenant_key, %1$I.application, %1$I.credential, %1$I.proxy, %1$I.token,'
      || ' %1$I.key_proof, %1$I.node_keyset, %1$I.container_binding TO %2$I',
    '${flyway:defaultSchema}', runtime);
  EXECUTE format(
    'GRANT SELECT, INSERT ON %1$I.audit_entry, %1$I.audit_seal, %1$I.audit_drop TO %2$I',
    '${flyway:defaultSchema}', runtime);
  EXECUTE format(
    'GRANT SELECT, UPDATE ON %1$I.audit_sealer TO %2$I', '${flyway:defaultSchema}', runtime);
  EXECUTE format(
    'GRANT USAGE ON SEQUENCE %1$I.token_version, %1$I.audit_entry_sequence TO %2$I',
    '${flyway:defaultSchema}', runtime);
  EXECUTE format(
    'GRANT SELECT ON %1$I.flyway_schema_history TO %2$I', '${flyway:defaultSchema}', runtime);
  EXECUTE format(
    'GRANT EXECUTE ON FUNCTION %1$I.ensure_audit_partitions(integer), %1$I.database_cluster(),'
      || ' %1$I.hold_audit_writers() TO %2$I',
    '${flyway:defaultSchema}', runtime);
END
$$;
