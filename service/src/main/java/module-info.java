/** Real nodes: the lock service and the classic algorithms across processes. */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // the Prometheus client has stable names
module habemus.service {
    requires transitive habemus.sim;
    requires com.google.gson;
    requires io.netty.buffer;
    requires io.netty.codec;
    requires io.netty.codec.http;
    requires io.netty.common;
    requires io.netty.handler;
    requires io.netty.transport;
    requires io.prometheus.metrics.core;
    requires io.prometheus.metrics.instrumentation.jvm;
    requires transitive io.prometheus.metrics.model;
    requires io.prometheus.writer.text;
    requires java.management;
    requires java.naming;
    requires java.net.http;
    requires org.slf4j;
    requires static org.jspecify;

    exports habemus.service.storage;
    exports habemus.service.http;
    exports habemus.service.metrics;
    exports habemus.service.log;
    exports habemus.service.raft;
    exports habemus.service.runtime;
    exports habemus.service.transport;
    exports habemus.service.algorithm;
    exports habemus.service.trace;
    exports habemus.service.server;
    exports habemus.service.simulation;
    exports habemus.service.recording;

    uses habemus.service.log.LogProvider;

    provides habemus.lockservice.EmbeddedNodeProvider with
            habemus.service.server.EmbeddedNodeLauncher;

    opens habemus.service.http to
            com.google.gson; // serializes the response records
}
