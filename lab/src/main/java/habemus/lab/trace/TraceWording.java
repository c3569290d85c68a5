package habemus.lab.trace;

import habemus.protocol.Effect;
import habemus.protocol.Envelope;
import habemus.protocol.Event;
import habemus.protocol.Labelled;
import habemus.protocol.LogCall;
import habemus.protocol.LogEntry;
import habemus.protocol.LogReply;
import habemus.protocol.Milestone;
import habemus.protocol.NodeId;
import habemus.protocol.NotedState;
import habemus.raft.RaftMessage;
import habemus.raft.RaftState;
import habemus.world.Fault;
import habemus.world.InFlightMessage;
import habemus.world.Property;
import habemus.world.TraceEvent;
import habemus.world.ValueFormatter;
import habemus.world.Verdict;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Describes faults, events and effects of a run in words. All views of a trace share this wording. */
public final class TraceWording {

    private static final MathContext FOUR_DIGITS = new MathContext(4, RoundingMode.HALF_UP);

    private TraceWording() {}

    public static String describe(Fault fault) {
        return switch (fault) {
            case Fault.Crash(var node) -> node + " crashes";
            case Fault.Restart(var node, var amnesia) -> node + " restarts" + (amnesia ? " with amnesia" : "");
            case Fault.LoseTail(var node, var entries) ->
                "the disk of " + node + " loses " + (entries == Integer.MAX_VALUE ? "all" : "up to " + entries)
                        + (entries == 1 ? " entry" : " entries") + " after the last sync";
            case Fault.Pause(var node) -> node + " pauses";
            case Fault.Resume(var node) -> node + " resumes";
            case Fault.Cut cut -> "cut " + describeSides(cut);
            case Fault.HealCut(var cut) -> "healed " + describeSides(cut);
            case Fault.Slow(var from, var to, var factor) when factor == 1 -> from + " → " + to + " at normal speed";
            case Fault.Slow(var from, var to, var factor) -> from + " → " + to + " slower " + formatFactor(factor);
            case Fault.ClockRate(var node, var factor) when factor == 1 -> "the clock of " + node + " at normal rate";
            case Fault.ClockRate(var node, var factor) -> "timers of " + node + " take " + formatFactor(factor);
            case Fault.WrongSuspicion(var node, var peer) -> node + " wrongly suspects " + peer;
            case Fault.Correct(var node, var peer) -> node + " no longer suspects " + peer;
            case Fault.Join(var node) -> node + " joins";
            case Fault.Leave(var node) -> node + " leaves";
            case Fault.Heal() -> "everything healed";
        };
    }

    private static String describeSides(Fault.Cut cut) {
        return cut.from() + (cut.bothWays() ? " | " : " → ") + cut.to();
    }

    private static String formatFactor(double factor) {
        return "×"
                + BigDecimal.valueOf(factor)
                        .round(FOUR_DIGITS)
                        .stripTrailingZeros()
                        .toPlainString();
    }

    /** {@code Request(1@n1) from n1}, {@code acquire}, {@code OVERDUE timeout}. */
    public static String describe(Event<?> event) {
        return switch (event) {
            case Event.Received<?>(var from, var message) -> format(message) + " from " + from;
            case Event.Acquire<?>() -> "acquire";
            case Event.Release<?>() -> "release";
            case Event.Campaign<?>() -> "campaign";
            case Event.Timeout<?>(var timer) -> timer + " timeout";
            case Event.Drawn<?>(var outcome) -> "drew " + outcome;
            case Event.Suspect<?>(var peer) -> "suspect " + peer;
            case Event.Restore<?>(var peer) -> "restore " + peer;
            case Event.Call<?>(var call) -> describe(call);
            case Event.Synced<?>(var last) -> "synced up to " + last.index();
            case Event.Joined<?>(var peer, var view) -> "learns that " + peer + " joined, view " + view;
            case Event.Left<?>(var peer, var view) -> "learns that " + peer + " left, view " + view;
            case Event.Leave<?>() -> "leave";
            case Event.Forward<?>(var from, var message) -> "late " + format(message) + " from " + from;
        };
    }

    /** An effect of a step of this node: {@code sends Reply to n1}. */
    public static String describe(NodeId node, Effect<?> effect) {
        return switch (effect) {
            case Effect.Send<?>(var to, var message) -> "sends " + format(message) + " to " + to;
            case Effect.SendAll<?>(var to, var message) -> "sends " + format(message) + " to " + to;
            case Effect.SetTimer<?>(var timer, var atLeast, var atMost) ->
                "sets " + timer + " to " + formatRange(atLeast, atMost) + " ms";
            case Effect.CancelTimer<?>(var timer) -> "cancels " + timer;
            case Effect.Draw<?>(var sides) -> "draws one of " + sides;
            case Effect.Grant<?>(var fence) -> "GRANTED fence " + fence;
            case Effect.Elected<?>(var leader, var term) when leader.equals(node) -> "LEADS term " + term;
            case Effect.Elected<?>(var leader, var term) -> "follows " + leader + " term " + term;
            case Effect.Lost<?>() -> "LOST";
            case Effect.Suspect<?>(var peer) -> "SUSPECTS " + peer;
            case Effect.Restore<?>(var peer) -> "restores " + peer;
            case Effect.Apply<?>(var first, var entries) -> "applies " + describeEntries(first, entries);
            case Effect.Load<?>(var index, var snapshot) -> "loads the snapshot at " + index;
            case Effect.Reply<?>(var id, var reply) -> describe(reply);
            case Effect.Report<?>(var milestone) -> describe(milestone);
        };
    }

    /** {@code 3=2:b 4=2:c}: index, term and content of each entry. */
    private static String describeEntries(long first, List<LogEntry> entries) {
        return IntStream.range(0, entries.size())
                .mapToObj(i -> first + i + "=" + entries.get(i))
                .collect(Collectors.joining(" "));
    }

    private static String describe(LogCall call) {
        return switch (call) {
            case LogCall.Propose(var proposals) ->
                "propose " + proposals.stream().map(LogCall.Proposal::toString).collect(Collectors.joining(" "));
            case LogCall.Read(var id) -> "read " + id;
            case LogCall.ChangeMembers(var id, LogCall.AddLearner(var node)) -> "add learner " + node;
            case LogCall.ChangeMembers(var id, LogCall.Promote(var node)) -> "promote " + node;
            case LogCall.ChangeMembers(var id, LogCall.Remove(var node)) -> "remove " + node;
            case LogCall.TransferLeadership(var to) -> "transfer leadership to " + to;
            case LogCall.Compact(var index, var snapshot) -> "snapshot at " + index;
        };
    }

    private static String describe(LogReply reply) {
        return switch (reply) {
            case LogReply.Committed(var index) -> "COMMITTED at " + index;
            case LogReply.Rejected(var reason, var leader) ->
                "REJECTED: " + reason.name().toLowerCase(Locale.ROOT).replace('_', ' ');
            case LogReply.Indeterminate() -> "INDETERMINATE";
            case LogReply.ReadAt(var index) -> "READ at " + index;
        };
    }

    private static String describe(Milestone milestone) {
        return switch (milestone) {
            case Milestone.Requested() -> "wants to enter";
            case Milestone.Entered entered -> "ENTERS";
            case Milestone.Exited() -> "leaves";
            case Milestone.Invoked(var operation) -> "calls " + operation;
            case Milestone.Returned(var result) -> "returns " + result;
            case Milestone.Updated(var object, var amount) -> "added " + amount + " to " + object;
            case Milestone.Stored(var value) -> "holds " + value;
            case Milestone.Parked(var thread) -> thread + " waits for a notification";
            case Milestone.Unparked(var thread) -> thread + " is notified";
        };
    }

    private static String formatRange(Duration atLeast, Duration atMost) {
        var least = JsonNumber.millis(atLeast).toPlainString();
        return atLeast.equals(atMost)
                ? least
                : least + ".." + JsonNumber.millis(atMost).toPlainString();
    }

    /** The effects that the application observes: grants, elections, losses, suspicions. */
    public static List<String> describeApplicationEffects(TraceEvent.NodeStep step) {
        return step.effects().stream()
                .filter(effect -> effect instanceof Effect.Grant
                        || effect instanceof Effect.Elected
                        || effect instanceof Effect.Lost
                        || effect instanceof Effect.Suspect
                        || effect instanceof Effect.Restore
                        || effect instanceof Effect.Apply
                        || effect instanceof Effect.Load
                        || effect instanceof Effect.Reply
                        || effect instanceof Effect.Report)
                .map(effect -> describe(step.node(), effect))
                .toList();
    }

    /** {@code Reply(4) from n1 to n2 is lost}. */
    public static String describe(InFlightMessage message, TraceEvent.Fate fate) {
        var subject = format(message.message()) + " from " + message.from() + " to " + message.to();
        return switch (fate) {
            case LOST -> subject + " is lost";
            case PARTITIONED -> subject + " is dropped by a partition";
            case RECEIVER_DOWN -> subject + " is dropped: " + message.to() + " is down";
            case DUPLICATED -> subject + " is duplicated";
        };
    }

    /** A write to the protected resource. */
    public static String describeWrite(long fence, boolean accepted) {
        return "writes with fence " + fence + (accepted ? "" : ": REJECTED");
    }

    public static String describe(TraceEvent.Start how) {
        return switch (how) {
            case FIRST -> "started";
            case WITH_MEMORY -> "restarted";
            case WITH_AMNESIA -> "restarted with amnesia";
            case AS_NEW_MEMBER -> "joined";
        };
    }

    /** A message with all of its content. */
    private static String format(Object message) {
        var content = Envelope.unwrap(message);
        return content instanceof RaftMessage || content instanceof Labelled
                ? label(message)
                : ValueFormatter.format(message);
    }

    /** The phase of a state with all of its content. */
    public static String describePhase(Object state) {
        return Envelope.unwrap(state) instanceof RaftState raftState
                ? RaftWording.describe(raftState)
                : ValueFormatter.format(phase(state));
    }

    /** What the new state of the node says beside its phase: {@code granted to n2, queue [n3]}; mostly empty. */
    public static String note(TraceEvent.NodeStep step) {
        return Envelope.unwrap(step.state()) instanceof NotedState state ? state.note(step.node()) : "";
    }

    /** The component {@code phase} or {@code role} of a state; the whole state if it has no such component. */
    public static Object phase(Object state) {
        if (Envelope.unwrap(state) instanceof Record whole) {
            for (RecordComponentValue component : RecordComponentValue.of(whole)) {
                if (component.name().equals("phase") || component.name().equals("role")) {
                    return component.value();
                }
            }
        }
        return state;
    }

    public static String describeViolation(Property property) {
        return property + " violated: " + property.sentence();
    }

    public static String describeNotGuaranteed(Property property) {
        return property + " " + Verdict.notGuaranteed(Verdict.VIOLATED.answer()) + ": " + property.sentence();
    }

    /** The name of a message in diagrams. */
    public static String name(Object message) {
        return Envelope.unwrap(message) instanceof RaftMessage raftMessage
                ? RaftWording.name(raftMessage)
                : ValueFormatter.typeName(message);
    }

    /** A short label of a message: {@code Request 1@n1}. Zeros are left out. */
    public static String label(Object message) {
        if (Envelope.unwrap(message) instanceof Labelled labelled) {
            return labelled.label();
        }
        if (!(Envelope.unwrap(message) instanceof Record)) {
            return ValueFormatter.format(message);
        }
        var payload = payload(message);
        return payload.isEmpty() ? name(message) : name(message) + " " + payload;
    }

    /** Only the components of a message, for diagrams whose colours show its type; empty if it has none. */
    public static String payload(Object message) {
        return switch (Envelope.unwrap(message)) {
            case RaftMessage raftMessage -> RaftWording.payload(raftMessage);
            case Labelled labelled -> labelled.label();
            case Record whole ->
                RecordComponentValue.of(whole).stream()
                        .map(RecordComponentValue::value)
                        .filter(value -> !(value instanceof Number number && number.doubleValue() == 0))
                        .map(ValueFormatter::format)
                        .collect(Collectors.joining(" "));
            default -> "";
        };
    }
}
