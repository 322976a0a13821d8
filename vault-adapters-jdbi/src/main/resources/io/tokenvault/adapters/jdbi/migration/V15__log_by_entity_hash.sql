-- As V11's index of an entity's entries, with a hash in place of the tenant and the id: half as large,
-- and the same in every collation. Lists compare both as well, since two entities can have one hash.
-- Each database has a number of its own in the hash, so that no caller can choose ids that do.
DO $$
BEGIN
  EXECUTE format(
    'CREATE FUNCTION audit_entity_hash(tenant uuid, entity text) RETURNS bigint'
      || ' LANGUAGE sql IMMUTABLE PARALLEL SAFE'
      || ' RETURN hashtextextended(entity, uuid_hash_extended(tenant, %s))',
    uuid_hash_extended(gen_random_uuid(), 0));
END
$$;
-- Whoever adds entries needs it, nodes of earlier versions too.
GRANT EXECUTE ON FUNCTION audit_entity_hash(uuid, text) TO PUBLIC;

CREATE INDEX audit_entry_by_entity_hash ON ONLY audit_entry
  (audit_entity_hash(tenant_id, entity_id), entity_type, created_at, sequence);

-- It is made where that takes a moment. A partition that is large already goes without, and the
-- earlier indexes serve it.
DO $$
DECLARE
  partition record;
BEGIN
  FOR partition IN
    SELECT pg_class.oid::regclass AS name, relname || '_by_entity_hash' AS index
    FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = 'audit_entry'::regclass
  LOOP
    CONTINUE WHEN pg_relation_size(partition.name) > 64 * 1024 * 1024;
    EXECUTE format(
      'CREATE INDEX %I ON %s'
        || ' (audit_entity_hash(tenant_id, entity_id), entity_type, created_at, sequence)',
      partition.index, partition.name);
    EXECUTE format('ALTER INDEX audit_entry_by_entity_hash ATTACH PARTITION %I', partition.index);
  END LOOP;
  -- Where there is a log, nodes of earlier versions may be at work, whose lists need the earlier one.
  -- docs/audit.md says how to remove it.
  IF NOT EXISTS (SELECT FROM audit_entry) THEN
    DROP INDEX audit_entry_of_entity;
  END IF;
END
$$;
