package habemus.service.recording;

import habemus.lockservice.protocol.Message;
import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.LogCall;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.raft.RaftMessage;
import habemus.service.storage.CorruptFileException;
import habemus.service.trace.EventObserver;
import habemus.world.MonitorSet;
import habemus.world.ObservableEvent;
import habemus.world.Verdict;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Validates the recordings of a cluster. It re-executes every step with the pure machines, in an order in which a
 * message is received after it was sent, and passes what happens to the property monitors.
 *
 * <p>It reads the files once, step by step, and keeps only the entries that were applied.
 */
public final class RecordingValidator {

    /** Shows how far a validation is. */
    public interface Progress {

        void show(long readBytes, long totalBytes);
    }

    private static final int STEPS_PER_PROGRESS = 1 << 12;
    private static final int DESCRIPTION_MAX = 500;

    /** The clocks of two machines differ by less. Only a message that is in no recording makes a node wait so long. */
    private static final long CLOCK_SKEW_MICROS = 2_000_000;

    private final ClusterRecording recording;
    private final Progress progress;
    private final Map<NodeId, NodeHistory> histories = new TreeMap<>();
    private final LinkHistory links = new LinkHistory();
    private final LockRuleMonitor lockRuleMonitor = new LockRuleMonitor();
    private final ReferenceTable referenceTable;
    private final MonitorSet monitors;
    private final EventObserver observer;
    private final List<StepDifference> differences = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private final List<String> logViolations = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final Map<NodeId, Long> unsent = new TreeMap<>(); // received messages that no step sent, by sender
    private final long firstIndex;
    private NodeSet members = NodeSet.NONE;
    private long lastIndex;
    private long steps;

    private RecordingValidator(ClusterRecording recording, Progress progress) {
        this.recording = recording;
        this.progress = progress;
        var known = recording.firstKnownState();
        firstIndex = known.base().index();
        lastIndex = firstIndex;
        referenceTable = new ReferenceTable(firstIndex, known.table(), lockRuleMonitor);
        monitors = MonitorSet.ofRecordedLog(
                known.base(), (applied, index, snapshot) -> referenceTable.isStateAt(index, snapshot));
        observer = new EventObserver(recording.files().lastKey().number(), this::observe);
        recording.files().forEach((node, files) -> histories.put(node, new NodeHistory(node, files)));
    }

    /** @throws CorruptFileException if a step fails its checksum */
    public static ValidationResult validate(ClusterRecording recording, Progress progress) {
        var validator = new RecordingValidator(recording, progress);
        try {
            for (var next = validator.nextReady(); next != null; next = validator.nextReady()) {
                validator.take(next);
            }
            return validator.result();
        } finally {
            validator.histories.values().forEach(NodeHistory::close);
        }
    }

    /** The node with the earliest step whose message was sent. Null at the end. */
    private @Nullable NodeHistory nextReady() {
        NodeHistory earliest = null;
        NodeHistory waiting = null;
        for (NodeHistory history : histories.values()) {
            var step = history.cursor().next();
            if (step.isEmpty()) {
                continue;
            }
            if (isEarlier(step.get(), earliest)) {
                if (isReady(history.node(), step.get())) {
                    earliest = history;
                } else if (isEarlier(step.get(), waiting)) {
                    waiting = history;
                }
            }
        }
        return earliest == null ? waiting : earliest;
    }

    private static boolean isEarlier(ServiceStep<RaftMessage> step, @Nullable NodeHistory than) {
        return than == null || step.at() < than.cursor().next().orElseThrow().at();
    }

    private boolean isReady(NodeId node, ServiceStep<RaftMessage> step) {
        if (!(step
                        instanceof
                        ServiceStep.LogStep<RaftMessage>(var at, Event.Received(var from, var message), var outcome))
                || from.equals(node)
                || links.isInFlight(from, node, message)) {
            return true;
        }
        var sender = histories.get(from);
        return sender == null
                || sender.cursor().next().isEmpty()
                || sender.cursor().next().get().at() > at + CLOCK_SKEW_MICROS;
    }

    private void take(NodeHistory history) {
        var cursor = history.cursor();
        history.onStep();
        try {
            take(history, cursor.next().orElseThrow());
            cursor.advance();
        } catch (NodeReplay.WrongStepException wrong) {
            differences.add(wrong.at(history.node(), cursor.start(), cursor.step()));
            cursor.stop();
        }
        if (cursor.next().isEmpty()) {
            endStart(history);
        }
        if (++steps % STEPS_PER_PROGRESS == 0) {
            long remaining = histories.values().stream()
                    .mapToLong(each -> each.cursor().remainingBytes())
                    .sum();
            progress.show(recording.bytes() - remaining, recording.bytes());
        }
    }

    private void take(NodeHistory history, ServiceStep<RaftMessage> step) {
        var node = history.node();
        switch (step) {
            case ServiceStep.ServerStarted<RaftMessage>(var at, var lockServer) ->
                history.replay().startServer(lockServer);
            case ServiceStep.LogStarted<RaftMessage> started -> {
                var effects = history.startLog(started);
                observe(new ObservableEvent.Restarted(node));
                observer.onLogStart(node, history.view().orElseThrow());
                onLogEffects(node, effects);
            }
            case ServiceStep.LogStep<RaftMessage> logStep -> takeLogStep(history, logStep);
            case ServiceStep.ServerStep<RaftMessage>(var at, var input, var outcome) -> {
                for (var effect : history.replay().stepServer(input, outcome)) {
                    if (effect instanceof Effect.Send<Message>(var to, Message.ServerReply reply)) {
                        lockRuleMonitor.onReply(reply);
                    }
                }
            }
            case ServiceStep.Stopped<RaftMessage> stopped -> history.onStopped();
        }
    }

    private void takeLogStep(NodeHistory history, ServiceStep.LogStep<RaftMessage> step) {
        var node = history.node();
        switch (step.event()) {
            case Event.Received<RaftMessage>(var from, var message) -> receive(node, from, message);
            case Event.Call<RaftMessage>(LogCall.Compact(var index, var snapshot)) -> {
                if (!referenceTable.isStateAt(index, snapshot)) {
                    throw new NodeReplay.WrongStepException(
                            "snapshot at " + index, "the table after entry " + index, "another table");
                }
            }
            default -> {}
        }
        history.beforeLogStep();
        var before = history.view();
        var effects = history.replay().stepLog(step.event(), step.outcome());
        var after = history.view().orElseThrow();
        members = members.with(after.log().configuration().configuration().voters());
        observer.onLogStep(node, before.orElseThrow(), after);
        onLogEffects(node, effects);
    }

    private void receive(NodeId node, NodeId from, RaftMessage message) {
        if (links.isInFlight(from, node, message)) {
            links.onReceive(from, node, message);
        } else if (!from.equals(node)) {
            unsent.merge(from, 1L, Long::sum);
        }
    }

    private void onLogEffects(NodeId node, List<Effect<RaftMessage>> effects) {
        for (var effect : effects) {
            switch (effect) {
                case Effect.Send<RaftMessage>(var to, var message) -> links.onSend(node, to, message);
                case Effect.SendAll<RaftMessage>(var to, var message) ->
                    to.forEach(each -> links.onSend(node, each, message));
                case Effect.Apply<RaftMessage>(var first, var entries) -> {
                    referenceTable.onApplied(first, entries);
                    lastIndex = Math.max(lastIndex, first + entries.size() - 1);
                }
                default -> {}
            }
        }
        observer.afterStep(node, effects);
    }

    /** The node stopped or crashed, or its recording is wrong from here on. */
    private void endStart(NodeHistory history) {
        var cursor = history.cursor();
        if (cursor.isTruncated()) {
            notes.add(history.node() + ", start " + cursor.start() + ", ends with an incomplete step");
        }
        if (history.endStart()) {
            observer.onCrash(history.node());
        }
        cursor.nextStart();
    }

    private void observe(ObservableEvent event) {
        for (var property : monitors.observe(event)) {
            var description = event.toString();
            logViolations.add(property + ": " + property.sentence() + "; violated by "
                    + description.substring(0, Math.min(description.length(), DESCRIPTION_MAX)));
        }
    }

    private ValidationResult result() {
        unsent.forEach(this::reportUnsent);
        lockRuleMonitor.violations().forEach((rule, text) -> violations.add(rule + ": " + text));
        if (referenceTable.unknownSnapshots() > 0) {
            notes.add(referenceTable.unknownSnapshots() + " snapshots of earlier entries were not compared");
        }
        var missing = members.without(NodeSet.of(histories.keySet()));
        if (!missing.isEmpty()) {
            notes.add("no recording of " + missing + ": the properties of the log stay open");
        } else {
            violations.addAll(logViolations);
        }
        var verdicts = monitors.verdicts(true);
        if (!missing.isEmpty()) {
            verdicts.replaceAll((property, verdict) -> Verdict.OPEN);
        }
        return new ValidationResult(
                recording.cluster(),
                histories.values().stream().map(NodeHistory::summary).toList(),
                lastIndex - firstIndex,
                lockRuleMonitor.grants(),
                differences,
                verdicts,
                ruleVerdicts(),
                violations,
                notes);
    }

    private void reportUnsent(NodeId sender, long count) {
        var history = histories.get(sender);
        if (history == null) {
            return; // the note on missing recordings says it
        }
        var text = count + " received messages of " + sender + " are in none of its recordings";
        boolean isComplete = !history.hasCrashed() && differences.isEmpty();
        (isComplete ? violations : notes).add(text + (isComplete ? "" : ": a crash loses its last steps"));
    }

    private Map<LockRule, Verdict> ruleVerdicts() {
        var verdicts = new EnumMap<LockRule, Verdict>(LockRule.class);
        for (LockRule rule : LockRule.values()) {
            verdicts.put(rule, lockRuleMonitor.violations().containsKey(rule) ? Verdict.VIOLATED : Verdict.HOLDS);
        }
        return verdicts;
    }
}
