/** The replicated log on PostgreSQL. */
@SuppressWarnings("requires-automatic") // the driver is an automatic module with a stable name
module habemus.log.postgresql {
    requires habemus.service;
    requires java.sql;
    requires org.postgresql.jdbc;
    requires org.slf4j;
    requires static org.checkerframework.checker.qual;
    requires static org.jspecify;

    provides habemus.service.log.LogProvider with
            habemus.log.postgresql.PostgresLogProvider;
}
