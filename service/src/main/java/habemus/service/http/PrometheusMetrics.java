package habemus.service.http;

import habemus.service.server.LockServerNode;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** The metrics of a lock server in the text format of Prometheus, read from the counters of the node at each scrape. */
final class PrometheusMetrics {

    private static final PrometheusTextFormatWriter WRITER = PrometheusTextFormatWriter.create();

    private final MetricSnapshots.Builder snapshots = MetricSnapshots.builder();

    private PrometheusMetrics() {}

    static Route.RawResponse of(LockServerNode node) {
        var metrics = new PrometheusMetrics();
        metrics.addServer(node);
        metrics.addLog(node);
        var text = new ByteArrayOutputStream();
        try {
            WRITER.write(text, metrics.snapshots.build());
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return new Route.RawResponse(WRITER.getContentType(), text.toByteArray());
    }

    private void addServer(LockServerNode node) {
        var stats = node.stats();
        gauge("sessions", "open sessions of the whole service", stats.sessions());
        gauge("waiters", "waiting acquire requests of the whole service", stats.waiters());
        gauge("connections", "client connections of this node", stats.connections());
        gauge("connected_sessions", "sessions whose client is connected to this node", stats.localSessions());
        counter("requests", "client requests received by this node", stats.requests());
        counter("rejected_requests", "client requests rejected for limits or missing permissions", stats.rejected());
        counter(
                "access_denials",
                "attempts without valid credentials or permission",
                node.policy().deniedCount());
        counter("proposed_entries", "log entries proposed by this node", stats.entries());
        counter("proposed_commands", "commands in the proposed log entries", stats.commands());
        counter("dropped_commands", "commands not proposed because too many were in flight", stats.dropped());
        counter("failed_entries", "proposed log entries that were rejected or have an unknown outcome", stats.failed());
        counter("applied_entries", "log entries applied by this node", stats.applied());
        counter("renewals", "acknowledged lease renewals", stats.renewals());
        counter("expired_sessions", "expired sessions", stats.expiredSessions());
        counter("lost_holds", "holds lost because their session expired", stats.lostHolds());
    }

    private void addLog(LockServerNode node) {
        var stats = node.log().stats();
        boolean isLeader =
                node.loop().leader().filter(node.config().self()::equals).isPresent();
        gauge("is_leader", "1 if this node believes that it leads the replicated log, else 0", isLeader ? 1 : 0);
        gauge(
                "members",
                "voting members of the replicated log",
                node.log().members().size());
        gauge(
                "applied_index",
                "index of the last command applied to the lock table; no fence is larger",
                node.loop().table().index());
        gauge("log_bytes", "size of the log on disk without the snapshot", stats.logBytes());
        counter("log_fsyncs", "fsync calls for the log", stats.syncs());
        counter("log_snapshots", "snapshots taken or received", stats.snapshots());
    }

    private void gauge(String name, String help, long value) {
        snapshots.metricSnapshot(GaugeSnapshot.builder()
                .name("habemus_" + name)
                .help(help)
                .dataPoint(
                        GaugeDataPointSnapshot.builder().value((double) value).build())
                .build());
    }

    /** The writer adds the suffix {@code _total}. */
    private void counter(String name, String help, long value) {
        snapshots.metricSnapshot(CounterSnapshot.builder()
                .name("habemus_" + name)
                .help(help)
                .dataPoint(
                        CounterDataPointSnapshot.builder().value((double) value).build())
                .build());
    }
}
