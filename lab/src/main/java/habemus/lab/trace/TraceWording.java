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

/** What happens in a run, in the words that every view of it uses. */
public final class TraceWording {

    private TraceWording() {}

    /** As all times are shown: {@code 1.250} for 1250 microseconds. */
    public static String millis(long micros) {
        return BigDecimal.valueOf(micros, 3).toPlainString();
    }

    /** Without zeros that say nothing: {@code 1.25 ms}. */
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
            case Fault.HealCut(var cut) -> "mended " + describeSides(cut);
            case Fault.Slow(var from, var to, var factor) when factor == 1 -> from + " → " + to + " as fast as before";
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

    /** {@code Request(1@n1) from n1}, {@code acquire}, {@code OVERDUE elapsed}. */
    public static String describe(Event<?> event) {
        return switch (event) {
            case Event.Received<?>(var from, var message) -> ValueFormatter.format(message) + " from " + from;
            case Event.Acquire<?>() -> "acquire";
            case Event.Release<?>() -> "release";
            case Event.Campaign<?>() -> "campaign";
            case Event.Timeout<?>(var alarm) -> alarm + " elapsed";
            case Event.Drawn<?>(var outcome) -> "rolled " + outcome;
            case Event.Suspect<?>(var peer) -> "suspect " + peer;
            case Event.Restore<?>(var peer) -> "restore " + peer;
        };
    }

    /** What the node asks of the world: {@code sends Reply to n1}. */
    public static String describe(NodeId node, Effect<?> effect) {
        return switch (effect) {
            case Effect.Send<?>(var to, var message) -> "sends " + ValueFormatter.format(message) + " to " + to;
            case Effect.SendAll<?>(var to, var message) -> "sends " + ValueFormatter.format(message) + " to " + to;
            case Effect.SetTimer<?>(var alarm, var atLeast, var atMost) ->
                "sets " + alarm + " to " + formatRange(atLeast, atMost) + " ms";
            case Effect.CancelTimer<?>(var alarm) -> "calms " + alarm;
            case Effect.Draw<?>(var sides) -> "rolls one of " + sides;
            case Effect.Grant<?>(var fence) -> "GRANTED fence " + fence;
            case Effect.Elected<?>(var leader, var term) when leader.equals(node) -> "LEADS term " + term;
            case Effect.Elected<?>(var leader, var term) -> "follows " + leader + " term " + term;
            case Effect.Lost<?>() -> "LOST";
            case Effect.Suspect<?>(var peer) -> "SUSPECTS " + peer;
            case Effect.Restore<?>(var peer) -> "trusts " + peer;
        };
    }

    private static String formatRange(Duration atLeast, Duration atMost) {
        var least = JsonNumber.millis(atLeast).toPlainString();
        return atLeast.equals(atMost)
                ? least
                : least + ".." + JsonNumber.millis(atMost).toPlainString();
    }

    /** What the effects mean to the application: grants, elections, losses, suspicions. */
    public static List<String> describeApplicationEffects(TraceEvent.NodeStep nodeStep) {
        return nodeStep.effects().stream()
                .filter(effect -> effect instanceof Effect.Grant
                        || effect instanceof Effect.Elected
                        || effect instanceof Effect.Lost
                        || effect instanceof Effect.Suspect
                        || effect instanceof Effect.Restore)
                .map(effect -> describe(nodeStep.node(), effect))
                .toList();
    }

    /** {@code Reply(4) from n1 to n2 is lost}. */
    public static String describe(InFlightMessage inFlightMessage, TraceEvent.Fate fate) {
        var what = ValueFormatter.format(inFlightMessage.message()) + " from " + inFlightMessage.from() + " to "
                + inFlightMessage.to();
        return switch (fate) {
            case LOST -> what + " is lost";
            case PARTITIONED -> what + " is cut off";
            case RECEIVER_DOWN -> what + " finds " + inFlightMessage.to() + " down";
            case DUPLICATED -> what + " is duplicated";
        };
    }

    /** Of a write to the resource. */
    public static String describeWrite(long fence, boolean accepted) {
        return "writes with fence " + fence + (accepted ? "" : ": REFUSED");
    }

    public static String describe(TraceEvent.Start how) {
        return switch (how) {
            case FIRST -> "started";
            case WITH_MEMORY -> "restarted";
            case WITH_AMNESIA -> "restarted with amnesia";
        };
    }

    /** The part of a state that is called {@code phase}; the whole state if it has no such part. */
    public static Object phase(Object state) {
        if (Envelope.unwrap(state) instanceof Record whole) {
            for (RecordComponentValue recordComponentValue : RecordComponentValue.of(whole)) {
                if (recordComponentValue.name().equals("phase")) {
                    return recordComponentValue.value();
                }
            }
        }
        return state;
    }

    /** A message in the room that a picture has: {@code Request 1@n1}. A number that is zero tells nothing. */
    public static String label(Object message) {
        if (!(Envelope.unwrap(message) instanceof Record)) {
            return ValueFormatter.format(message);
        }
        var carried = payload(message);
        return carried.isEmpty() ? ValueFormatter.typeName(message) : ValueFormatter.typeName(message) + " " + carried;
    }

    /** Only what the message carries, where its kind is told by a colour; empty if nothing. */
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
