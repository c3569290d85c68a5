/** The algorithms of core for real: across processes, on disk, at an HTTP door. */
@SuppressWarnings("requires-automatic") // JGroups is one, by its own stable name
module habemus.service {
    requires transitive habemus.core;
    requires com.google.gson;
    requires io.helidon.common.buffers;
    requires io.helidon.common.concurrency.limits;
    requires io.helidon.common.socket;
    requires io.helidon.common.tls;
    requires io.helidon.http;
    requires io.helidon.http.sse;
    requires io.helidon.webserver;
    requires io.helidon.webserver.sse;
    requires org.jgroups;
    requires org.jgroups.raft;
    requires java.naming;
    requires java.net.http;
    requires org.slf4j;
    requires static org.jspecify;

    exports habemus.service.disk;
    exports habemus.service.http;
    exports habemus.service.log;
    exports habemus.service.loop;
    exports habemus.service.net;
    exports habemus.service.node;
    exports habemus.service.record;
    exports habemus.service.session;

    provides habemus.fenced.Hosting with
            habemus.service.session.Host;

    opens habemus.service.http to
            com.google.gson; // which writes its records
}
