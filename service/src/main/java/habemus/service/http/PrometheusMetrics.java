package habemus.service.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.service.server.LockServerNode;

/** What a node counts, in the text format of Prometheus. */
final class PrometheusMetrics {

    private static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private final StringBuilder text = new StringBuilder();

    private PrometheusMetrics() {}

    static Route.RawResponse of(LockServerNode node) {
        var serverStats = node.stats();
        var log = node.log().stats();
        var prometheusMetrics = new PrometheusMetrics();
        boolean leads =
                node.loop().leader().filter(node.config().self()::equals).isPresent();
        prometheusMetrics.gauge("leads", "whether this node leads the log, as far as it knows", leads ? 1 : 0);
        prometheusMetrics.gauge(
                "members", "nodes that keep the log", node.log().members().size());
        prometheusMetrics.gauge("sessions", "sessions of the whole service", serverStats.sessions());
        prometheusMetrics.gauge("waiters", "claims that wait, of the whole service", serverStats.waiters());
        prometheusMetrics.gauge("connections", "open at this node", serverStats.connections());
        prometheusMetrics.gauge(
                "served_sessions", "sessions whose clients are connected to this node", serverStats.localSessions());
        prometheusMetrics.gauge(
                "index",
                "commands that were ever applied: the largest fence",
                node.loop().table().index());
        prometheusMetrics.gauge("log_bytes", "of the log on disk, without the snapshot", log.logBytes());
        prometheusMetrics.counter("requests", "of clients", serverStats.requests());
        prometheusMetrics.counter("refused", "requests, by limits or for want of rights", serverStats.rejected());
        prometheusMetrics.counter(
                "refused_access",
                "attempts of strangers, or without the right",
                node.policy().deniedCount());
        prometheusMetrics.counter("proposed_entries", "proposed to the log by this node", serverStats.entries());
        prometheusMetrics.counter("proposed_commands", "in these", serverStats.commands());
        prometheusMetrics.counter(
                "dropped_commands", "not proposed, since too many were on their way", serverStats.dropped());
        prometheusMetrics.counter("failed_entries", "not committed, or nobody knows", serverStats.failed());
        prometheusMetrics.counter("applied_entries", "of the log", serverStats.applied());
        prometheusMetrics.counter("renewals", "acknowledged", serverStats.renewals());
        prometheusMetrics.counter("expiries", "sessions that were given up", serverStats.expiredSessions());
        prometheusMetrics.counter("losses", "holdings that ended by that", serverStats.lostHolds());
        prometheusMetrics.counter("log_syncs", "how often this node waited for its disk", log.syncs());
        prometheusMetrics.counter("log_snapshots", "made or received", log.snapshots());
        return new Route.RawResponse(TYPE, prometheusMetrics.text.toString().getBytes(UTF_8));
    }

    private void gauge(String name, String help, long value) {
        add("habemus_" + name, "gauge", help, value);
    }

    private void counter(String name, String help, long value) {
        add("habemus_" + name + "_total", "counter", help, value);
    }

    private void add(String name, String type, String help, long value) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
        text.append(name).append(' ').append(value).append('\n');
    }
}
