package habemus.service.http;

import habemus.lockservice.ResourceName;
import habemus.lockservice.table.LockTable;
import habemus.service.server.LockServerNode;
import habemus.service.server.ServerStats;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Info;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.instrumentation.jvm.JvmBufferPoolMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmGarbageCollectorMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmMemoryMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmThreadsMetrics;
import io.prometheus.metrics.instrumentation.jvm.ProcessMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * The metrics of a lock server. What the node counts anyway is read at each scrape; what it measures is in its {@link
 * habemus.service.metrics.NodeMetrics}.
 */
final class PrometheusMetrics {

    private static final ExpositionFormats FORMATS = ExpositionFormats.init();
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final LockServerNode node;
    private final PrometheusRegistry registry = new PrometheusRegistry();
    private ServerStats stats; // of the current scrape
    private QueueStats queueStats; // of the current scrape

    /** Resources in use, and the waiters in the longest queue of a resource, by kind. */
    private record QueueStats(Map<ResourceName.Kind, Integer> resources, Map<ResourceName.Kind, Integer> longest) {

        /** Reads the whole table: at a million locks a moment, on the thread of the request. */
        static QueueStats of(LockTable table) {
            var resources = new EnumMap<ResourceName.Kind, Integer>(ResourceName.Kind.class);
            var longest = new EnumMap<ResourceName.Kind, Integer>(ResourceName.Kind.class);
            for (var kind : ResourceName.Kind.values()) {
                resources.put(kind, 0);
                longest.put(kind, 0);
            }
            table.resources().forEach((name, resource) -> {
                resources.merge(name.kind(), 1, Integer::sum);
                longest.merge(name.kind(), resource.queue().size(), Math::max);
            });
            return new QueueStats(resources, longest);
        }
    }

    PrometheusMetrics(LockServerNode node) {
        this.node = node;
        stats = node.stats();
        queueStats = QueueStats.of(node.loop().table());
        registerServer();
        registerQueues();
        registerLog();
        registerReplication();
        registerProcess();
    }

    /** @param accept what the client accepts: OpenMetrics, or else the text format of Prometheus */
    synchronized Route.RawResponse scrape(Optional<String> accept) {
        stats = node.stats();
        queueStats = QueueStats.of(node.loop().table());
        var writer = FORMATS.findWriter(accept.orElse(null));
        var measured = node.metrics().registry().scrape().stream();
        var all = new MetricSnapshots(
                Stream.concat(measured, registry.scrape().stream()).toList());
        var text = new ByteArrayOutputStream();
        try {
            writer.write(text, all);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return new Route.RawResponse(writer.getContentType(), text.toByteArray());
    }

    private void registerServer() {
        gauge("sessions", "open sessions of the whole service", ServerStats::sessions);
        gauge("waiters", "waiting acquire requests of the whole service", ServerStats::waiters);
        gauge("connections", "client connections of this node", ServerStats::connections);
        gauge("connected_sessions", "sessions whose client is connected to this node", ServerStats::localSessions);
        counter("requests", "client requests received by this node", ServerStats::requests);
        counter(
                "access_denials",
                "attempts without valid credentials or permission",
                any -> node.policy().deniedCount());
        counter("proposed_entries", "log entries proposed by this node", ServerStats::entries);
        counter("proposed_commands", "commands in the proposed log entries", ServerStats::commands);
        counter("dropped_commands", "commands not proposed because too many were in flight", ServerStats::dropped);
        counter(
                "failed_entries",
                "proposed log entries that were rejected or have an unknown outcome",
                ServerStats::failed);
        counter("applied_entries", "log entries applied by this node", ServerStats::applied);
        counter("renewals", "acknowledged lease renewals", ServerStats::renewals);
        counter("expired_sessions", "expired sessions", ServerStats::expiredSessions);
        counter("lost_holds", "holds lost because their session expired", ServerStats::lostHolds);
    }

    private void registerQueues() {
        byKind("resources", "locks, semaphores and elections in use", QueueStats::resources);
        byKind("longest_queue", "waiters in the longest queue", QueueStats::longest);
        byQuota("quota_used", "how much of a quota of the whole table is used", QuotaUse::used);
        byQuota("quota_limit", "the quota of the whole table", QuotaUse::limit);
    }

    private void byQuota(String name, String help, ToLongFunction<QuotaUse> value) {
        GaugeWithCallback.builder()
                .name("habemus_" + name)
                .help(help)
                .labelNames("quota")
                .callback(callback -> QuotaUse.of(node.loop().table()).stream()
                        .filter(QuotaUse::isLimited)
                        .forEach(use -> callback.call((double) value.applyAsLong(use), use.quota())))
                .register(registry);
    }

    private void byKind(String name, String help, Function<QueueStats, Map<ResourceName.Kind, Integer>> values) {
        GaugeWithCallback.builder()
                .name("habemus_" + name)
                .help(help)
                .labelNames("kind")
                .callback(callback ->
                        values.apply(queueStats).forEach((kind, value) -> callback.call(value, kind.toString())))
                .register(registry);
    }

    private void registerLog() {
        gauge("is_leader", "1 if this node believes that it leads the replicated log, else 0", any -> isLeader());
        gauge(
                "has_leader",
                "1 if this node knows a leader of the replicated log, else 0",
                any -> node.loop().leader().isPresent() ? 1 : 0);
        gauge("term", "current term of the replicated log", any -> node.log().term());
        counter("leader_changes", "leaders of the replicated log that this node has seen", ServerStats::leaderChanges);
        gauge(
                "members",
                "voting members of the replicated log",
                any -> node.log().members().size());
        gauge(
                "applied_index",
                "index of the last command applied to the lock table; no fence is larger",
                any -> node.loop().table().index());
        gauge(
                "log_bytes",
                "size of the log on disk without the snapshot",
                any -> node.log().stats().logBytes());
        gauge(
                "pending_proposals",
                "proposals of this node without an outcome",
                any -> node.log().stats().pendingProposals());
        counter(
                "log_fsyncs",
                "fsync calls for the log",
                any -> node.log().stats().syncs());
        counter(
                "log_snapshots",
                "snapshots taken or received",
                any -> node.log().stats().snapshots());
    }

    private long isLeader() {
        return node.loop().leader().filter(node.config().self()::equals).isPresent() ? 1 : 0;
    }

    private void registerReplication() {
        GaugeWithCallback.builder()
                .name("habemus_replication_lag_entries")
                .help("log entries that a follower lacks; only at the leader")
                .labelNames("follower")
                .callback(callback -> node.log()
                        .replicationLag()
                        .forEach((follower, entries) -> callback.call(entries, follower.toString())))
                .register(registry);
        GaugeWithCallback.builder()
                .name("habemus_staleness_seconds")
                .help("time since the table of this node was certainly current")
                .callback(callback -> callback.call(node.log().staleness().toNanos() / NANOS_PER_SECOND))
                .register(registry);
    }

    private void registerProcess() {
        var build = Info.builder()
                .name("habemus_build_info")
                .help("version of this node, and of the Java that runs it")
                .labelNames("version", "java")
                .register(registry);
        build.setLabelValues(
                Optional.ofNullable(PrometheusMetrics.class.getPackage().getImplementationVersion())
                        .orElse("unpackaged"),
                Runtime.version().toString());
        ProcessMetrics.builder().register(registry);
        JvmMemoryMetrics.builder().register(registry);
        JvmGarbageCollectorMetrics.builder().register(registry);
        JvmThreadsMetrics.builder().register(registry);
        JvmBufferPoolMetrics.builder().register(registry);
    }

    private void gauge(String name, String help, ToLongFunction<ServerStats> value) {
        GaugeWithCallback.builder()
                .name("habemus_" + name)
                .help(help)
                .callback(callback -> callback.call((double) value.applyAsLong(stats)))
                .register(registry);
    }

    /** The format adds the suffix {@code _total}. */
    private void counter(String name, String help, ToLongFunction<ServerStats> value) {
        CounterWithCallback.builder()
                .name("habemus_" + name)
                .help(help)
                .callback(callback -> callback.call((double) value.applyAsLong(stats)))
                .register(registry);
    }
}
