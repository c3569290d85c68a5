package habemus.harness.simulation;

import habemus.protocol.ByteString;
import habemus.protocol.Configuration;
import habemus.protocol.Effect;
import habemus.protocol.EntryId;
import habemus.protocol.LogEntry;
import habemus.protocol.LogView;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.PersistentLog;
import habemus.service.raft.LogObserver;
import habemus.world.MonitorSet;
import habemus.world.ObservableEvent;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/** Passes the steps of the nodes' logs to the monitors that also check the simulated and the explored Raft machine. */
@SuppressWarnings("ReferenceEquality") // logs share structure: the same object is the common case
final class LogSafetyMonitor {

    private static final List<Property> PROPERTIES = List.of(
            Property.ELECTION_SAFETY,
            Property.LEADER_APPEND_ONLY,
            Property.LOG_MATCHING,
            Property.LEADER_COMPLETENESS,
            Property.COMMITTED_STAYS,
            Property.ONE_APPLICATION);

    private final RunTrace trace;
    private final ServiceCoverage coverage;
    private final MonitorSet monitors;
    private final MonitorSet applications;
    private final Map<NodeId, Long> lastIndexes = new TreeMap<>(); // of the logs, synced or not
    private NodeSet leaders = NodeSet.NONE;

    /**
     * @param nodes the highest number of a node
     * @param isMemoryKept whether no node loses its data: else a node that lost it counts as one that could vote
     */
    LogSafetyMonitor(RunTrace trace, ServiceCoverage coverage, int nodes, boolean isMemoryKept) {
        this.trace = trace;
        this.coverage = coverage;
        var world = World.of(Topology.complete(nodes));
        var properties = new ArrayList<>(PROPERTIES);
        if (isMemoryKept) {
            properties.add(Property.CONFIGURATION_SAFETY);
        }
        monitors = new MonitorSet(properties, world, OptionalInt.empty());
        applications = new MonitorSet(List.of(Property.STATE_MACHINE_SAFETY), world, OptionalInt.empty());
        observeFirstEntry();
    }

    /** The snapshot that a cluster begins with is entry 1 of term 1. */
    private void observeFirstEntry() {
        var empty = PersistentLog.startingAfter(new EntryId(0, 0), new Configuration(NodeSet.NONE, NodeSet.NONE));
        var first = List.of(new LogEntry(1, new LogEntry.NoOp()));
        var node = new NodeId(1);
        var before = new LogView(1, false, empty, 0, 0, ByteString.EMPTY);
        var after = new LogView(1, false, empty.append(first), 1, 1, ByteString.EMPTY);
        monitors.observe(new ObservableEvent.LogChanged(node, before, after));
        applications.observe(new ObservableEvent.Applied(node, 1, first));
    }

    /** The observer of one node, for all its lives. */
    LogObserver of(NodeId node) {
        return new LogObserver() {
            @Override
            public void onStart(LogView view) {
                if (view.log().lastIndex() < lastIndexes.getOrDefault(node, 0L)) {
                    coverage.count(ServiceSituation.TAIL_LOST);
                }
                observe(new ObservableEvent.LogChanged(node, view, view));
            }

            @Override
            public void onStep(LogView before, LogView after) {
                count(node, before, after);
                if (before.log() != after.log()
                        || before.commitIndex() != after.commitIndex()
                        || before.term() != after.term()
                        || before.leads() != after.leads()) {
                    observe(new ObservableEvent.LogChanged(node, before, after));
                }
            }

            @Override
            public void onEffect(Effect<?> effect) {
                switch (effect) {
                    case Effect.Apply<?>(var first, var entries) -> {
                        var applied = new ObservableEvent.Applied(node, first, entries);
                        observe(applied);
                        report(applied, applications);
                    }
                    case Effect.Load<?>(var index, var snapshot) ->
                        observe(new ObservableEvent.SnapshotLoaded(node, index, snapshot));
                    default -> {}
                }
            }
        };
    }

    private void count(NodeId node, LogView before, LogView after) {
        if (after.leads() && !before.leads()) {
            trace.line(() -> node + " leads term " + after.term());
            coverage.count(ServiceSituation.LEADER_ELECTED);
            if (!leaders.without(node).isEmpty()) {
                coverage.count(ServiceSituation.STALE_LEADER);
            }
        }
        if (after.leads() != before.leads()) {
            leaders = after.leads() ? leaders.with(node) : leaders.without(node);
        }
        if (after.log() == before.log()) {
            return;
        }
        if (after.log().baseIndex() > before.log().baseIndex()) {
            boolean isTaken = after.commitIndex() == before.commitIndex();
            coverage.count(isTaken ? ServiceSituation.SNAPSHOT_TAKEN : ServiceSituation.SNAPSHOT_INSTALLED);
        } else if (after.log().lastIndex() < before.log().lastIndex()
                || after.log().termAt(before.log().lastIndex())
                        != before.log().last().term()) {
            coverage.count(ServiceSituation.TRUNCATION);
        }
        lastIndexes.put(node, after.log().lastIndex());
    }

    /** The nodes that believe to lead the log. */
    NodeSet leaders() {
        return leaders;
    }

    /** A node starts, with its disk or without: it applies its log again. */
    void onStarted(NodeId node) {
        observe(new ObservableEvent.Crashed(node, false));
    }

    /** A node has ended. */
    void onEnded(NodeId node) {
        leaders = leaders.without(node);
    }

    private void observe(ObservableEvent event) {
        report(event, monitors);
    }

    private void report(ObservableEvent event, MonitorSet set) {
        for (var property : set.observe(event)) {
            trace.violate(property.toString(), () -> property.sentence() + ": " + event);
        }
    }
}
