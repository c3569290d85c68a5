package habemus.lab.trace;

import habemus.protocol.Effect;
import habemus.protocol.Envelope;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.world.Fault;
import habemus.world.InFlightMessage;
import habemus.world.TraceEvent;
import habemus.world.ValueFormatter;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Describes faults, events and effects of a run in words. All views of a trace share this wording. */
public final class TraceWording {

    private TraceWording() {}

    /** Milliseconds with three decimals: {@code 1.250} for 1250 microseconds. */
    public static String millis(long micros) {
        return BigDecimal.valueOf(micros, 3).toPlainString();
    }

    /** Milliseconds without trailing zeros: {@code 1.25 ms}. */
    public static String shortMillis(long micros) {
        return JsonNumber.of(micros, 3).toPlainString() + " ms";
    }

    public static String describe(Fault fault) {
        return switch (fault) {
            case Fault.Crash(var node) -> node + " crashes";
            case Fault.Restart(var node, var amnesia) -> node + " restarts" + (amnesia ? " with amnesia" : "");
            case Fault.Pause(var node) -> node + " pauses";
            case Fault.Resume(var node) -> node + " resumes";
            case Fault.Cut cut -> "cut " + describeSides(cut);
            case Fault.HealCut(var cut) -> "healed " + describeSides(cut);
            case Fault.Slow(var from, var to, var factor) when factor == 1 -> from + " → " + to + " at normal speed";
            case Fault.Slow(var from, var to, var factor) -> from + " → " + to + " slower " + formatFactor(factor);
            case Fault.WrongSuspicion(var node, var peer) -> node + " wrongly suspects " + peer;
            case Fault.Correct(var node, var peer) -> node + " no longer suspects " + peer;
            case Fault.Heal() -> "everything healed";
        };
    }

    private static String describeSides(Fault.Cut cut) {
        return cut.from() + (cut.bothWays() ? " | " : " → ") + cut.to();
    }

    private static String formatFactor(double factor) {
        return String.format(Locale.ROOT, "×%.4g", factor).replaceAll("\\.?0+$", "");
    }

    /** {@code Request(1@n1) from n1}, {@code acquire}, {@code OVERDUE timeout}. */
    public static String describe(Event<?> event) {
        return switch (event) {
            case Event.Received<?>(var from, var message) -> ValueFormatter.format(message) + " from " + from;
            case Event.Acquire<?>() -> "acquire";
            case Event.Release<?>() -> "release";
            case Event.Campaign<?>() -> "campaign";
            case Event.Timeout<?>(var timer) -> timer + " timeout";
            case Event.Drawn<?>(var outcome) -> "drew " + outcome;
            case Event.Suspect<?>(var peer) -> "suspect " + peer;
            case Event.Restore<?>(var peer) -> "restore " + peer;
        };
    }

    /** An effect of a step of this node: {@code sends Reply to n1}. */
    public static String describe(NodeId node, Effect<?> effect) {
        return switch (effect) {
            case Effect.Send<?>(var to, var message) -> "sends " + ValueFormatter.format(message) + " to " + to;
            case Effect.SendAll<?>(var to, var message) -> "sends " + ValueFormatter.format(message) + " to " + to;
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
                        || effect instanceof Effect.Restore)
                .map(effect -> describe(step.node(), effect))
                .toList();
    }

    /** {@code Reply(4) from n1 to n2 is lost}. */
    public static String describe(InFlightMessage message, TraceEvent.Fate fate) {
        var subject = ValueFormatter.format(message.message()) + " from " + message.from() + " to " + message.to();
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
        };
    }

    /** The component {@code phase} of a state; the whole state if it has no such component. */
    public static Object phase(Object state) {
        if (Envelope.unwrap(state) instanceof Record whole) {
            for (RecordComponentValue component : RecordComponentValue.of(whole)) {
                if (component.name().equals("phase")) {
                    return component.value();
                }
            }
        }
        return state;
    }

    /** A short label of a message: {@code Request 1@n1}. Zeros are left out. */
    public static String label(Object message) {
        if (!(Envelope.unwrap(message) instanceof Record)) {
            return ValueFormatter.format(message);
        }
        var payload = payload(message);
        return payload.isEmpty() ? ValueFormatter.typeName(message) : ValueFormatter.typeName(message) + " " + payload;
    }

    /** Only the components of a message, for diagrams whose colours show its type; empty if it has none. */
    public static String payload(Object message) {
        return !(Envelope.unwrap(message) instanceof Record whole)
                ? ""
                : RecordComponentValue.of(whole).stream()
                        .map(RecordComponentValue::value)
                        .filter(value -> !(value instanceof Number number && number.doubleValue() == 0))
                        .map(ValueFormatter::format)
                        .collect(Collectors.joining(" "));
    }
}
