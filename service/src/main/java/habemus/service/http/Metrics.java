package habemus.service.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.service.session.FencedNode;

/** What a node counts, in the text format of Prometheus. */
final class Metrics {

    private static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private final StringBuilder text = new StringBuilder();

    private Metrics() {}

    static Route.Raw of(FencedNode node) {
        var counts = node.counts();
        var log = node.log().counts();
        var metrics = new Metrics();
        boolean leads =
                node.reception().leader().filter(node.config().me()::equals).isPresent();
        metrics.gauge("leads", "whether this node leads the log, as far as it knows", leads ? 1 : 0);
        metrics.gauge("members", "nodes that keep the log", node.log().members().size());
        metrics.gauge("sessions", "sessions of the whole service", counts.sessions());
        metrics.gauge("waiters", "claims that wait, of the whole service", counts.waiters());
        metrics.gauge("connections", "open at this node", counts.connections());
        metrics.gauge("served_sessions", "sessions whose clients are connected to this node", counts.served());
        metrics.gauge(
                "index",
                "commands that were ever applied: the largest fence",
                node.reception().table().index());
        metrics.gauge("log_bytes", "of the log on disk, without the snapshot", log.bytes());
        metrics.counter("requests", "of clients", counts.requests());
        metrics.counter("refused", "requests, by limits or for want of rights", counts.refused());
        metrics.counter(
                "refused_access",
                "attempts of strangers, or without the right",
                node.access().refused());
        metrics.counter("proposed_entries", "proposed to the log by this node", counts.entries());
        metrics.counter("proposed_commands", "in these", counts.commands());
        metrics.counter("dropped_commands", "not proposed, since too many were on their way", counts.dropped());
        metrics.counter("failed_entries", "not committed, or nobody knows", counts.failed());
        metrics.counter("applied_entries", "of the log", counts.applied());
        metrics.counter("renewals", "acknowledged", counts.renewals());
        metrics.counter("expiries", "sessions that were given up", counts.expiries());
        metrics.counter("losses", "holdings that ended by that", counts.losses());
        metrics.counter("log_syncs", "how often this node waited for its disk", log.syncs());
        metrics.counter("log_snapshots", "made or received", log.snapshots());
        return new Route.Raw(TYPE, metrics.text.toString().getBytes(UTF_8));
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
