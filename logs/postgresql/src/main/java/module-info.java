/** The replicated log on PostgreSQL. */
module habemus.log.postgresql {
    requires habemus.service;
    requires org.slf4j;
    requires static org.jspecify;
}
