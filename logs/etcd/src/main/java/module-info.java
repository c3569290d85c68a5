/** The replicated log on etcd. */
module habemus.log.etcd {
    requires habemus.service;
    requires org.slf4j;
    requires static org.jspecify;
}
