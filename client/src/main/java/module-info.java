/** Fenced locks and elections for Java programs. Begin with {@link habemus.client.Habemus}. */
@SuppressWarnings("requires-automatic") // Micrometer is one, by its own stable name
module habemus.client {
    requires transitive habemus.core;
    requires org.slf4j;
    requires static transitive java.sql;
    requires static micrometer.core;
    requires static org.jspecify;

    exports habemus.client;

    uses habemus.lockservice.EmbeddedNodeProvider;
}
