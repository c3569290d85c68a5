package habemus.lab.trace;

import habemus.protocol.Background;
import habemus.protocol.Detecting;
import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.world.Mail;
import habemus.world.TraceLine;
import java.util.List;

/** Leaves out of a trace what is nothing but heartbeats, so that there is something else to be seen. */
public final class Heartbeats {

    private Heartbeats() {}

    /** Whether nothing but heartbeats is sent or received by it. */
    public static boolean areAll(TraceLine line) {
        return switch (line) {
            case TraceLine.Stepped stepped ->
                isBeat(stepped.event()) && stepped.effects().stream().allMatch(Heartbeats::isBeat);
            case TraceLine.Fared fared -> Background.is(fared.mail().message());
            default -> false;
        };
    }

    /** Whether a detector only counts: nothing is sent or received at all. */
    public static boolean isPulse(TraceLine line) {
        return areAll(line)
                && line instanceof TraceLine.Stepped stepped
                && stepped.mail() == 0
                && stepped.sent().isEmpty();
    }

    /** The rest of a line that is more than that. */
    public static TraceLine without(TraceLine line) {
        return switch (line) {
            case TraceLine.Started(var at, var node, var how, var state, var effects, var sent) ->
                new TraceLine.Started(at, node, how, state, rest(effects), mails(sent));
            case TraceLine.Stepped(var at, var node, var event, var mail, var state, var effects, var sent) ->
                new TraceLine.Stepped(at, node, event, mail, state, rest(effects), mails(sent));
            default -> line;
        };
    }

    private static boolean isBeat(Event<?> event) {
        return switch (event) {
            case Event.Received<?>(var from, var message) -> Background.is(message);
            case Event.Elapsed<?>(var alarm) -> alarm instanceof Detecting.Pulse;
            default -> false;
        };
    }

    private static boolean isBeat(Effect<?> effect) {
        return switch (effect) {
            case Effect.Send<?>(var to, var message) -> Background.is(message);
            case Effect.SendAll<?>(var to, var message) -> Background.is(message);
            case Effect.Wake<?>(var alarm, var atLeast, var atMost) -> alarm instanceof Detecting.Pulse;
            default -> false;
        };
    }

    private static List<? extends Effect<?>> rest(List<? extends Effect<?>> effects) {
        return effects.stream().filter(effect -> !isBeat(effect)).toList();
    }

    private static List<Mail> mails(List<Mail> sent) {
        return sent.stream().filter(mail -> !Background.is(mail.message())).toList();
    }
}
