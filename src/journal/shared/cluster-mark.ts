/** A standby that was promoted, or a dump that was brought back, there or elsewhere, shows another. */
export const clusterMark = `(SELECT system_identifier FROM pg_control_system())::text || '/' ||
  left(pg_walfile_name(pg_current_wal_lsn()), 8) || '/' ||
  (SELECT oid FROM pg_database WHERE datname = current_database()) || '/' || 'journal'::regclass::oid`;
