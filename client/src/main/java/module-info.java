/** Fenced locks and elections for Java programs. Start with {@link habemus.client.Habemus}. */
@SuppressWarnings({
    "module", // the harness is compiled later
    "requires-automatic" // Micrometer is an automatic module with a stable name
})
module habemus.client {
    requires habemus.core;
    requires org.slf4j;
    requires static transitive java.sql;
    requires static micrometer.core;
    requires static org.jspecify;

    exports habemus.client;
    exports habemus.client.environment to
            habemus.harness;

    uses habemus.lockservice.EmbeddedNodeProvider;
}
