package habemus.lab.picture;

import habemus.lab.trace.Words;
import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.world.TraceLine;
import habemus.world.Wording;
import java.util.ArrayList;

/** What is written beside a row of a text diagram. The arrows say already who speaks to whom. */
final class TextWords {

    private static final int TIME = 9;

    private TextWords() {}

    static String of(TraceLine line) {
        var time = Words.millis(line.at());
        return " ".repeat(Math.max(0, TIME - time.length())) + time + "  " + what(line);
    }

    private static String what(TraceLine line) {
        return switch (line) {
            case TraceLine.Started started -> step(started, Words.of(started.how()));
            case TraceLine.Stepped stepped -> step(stepped, event(stepped.event()));
            case TraceLine.Struck(var at, var fault) -> Words.of(fault);
            case TraceLine.Fared(var at, var mail, var fate) -> Words.of(mail, fate);
            case TraceLine.Told(var at, var mail) ->
                mail.from() + " tells " + mail.to() + ": " + Words.label(mail.message());
            case TraceLine.Heard(var at, var mail) -> mail.to() + " hears " + Words.label(mail.message());
            case TraceLine.Wrote(var at, var node, var fence, var accepted) ->
                node + " " + Words.ofWrite(fence, accepted);
            case TraceLine.Seen(var at, var happening) -> Wording.of(happening);
            case TraceLine.Violated(var at, var property) -> "!! " + property + " violated: " + property.sentence();
        };
    }

    private static String event(Event<?> event) {
        return event instanceof Event.Received<?>(var from, var message) ? Words.label(message) : Words.of(event);
    }

    private static String step(TraceLine.Acted acted, String event) {
        var parts = new ArrayList<String>();
        var phase = Words.phase(acted.state());
        parts.add(acted.node() + " " + event + (phase.equals(acted.state()) ? "" : " → " + Wording.name(phase)));
        parts.addAll(Words.news(acted));
        for (Effect<?> effect : acted.effects()) {
            switch (effect) {
                case Effect.Send<?>(var to, var message) -> parts.add("sends " + Words.label(message) + " to " + to);
                case Effect.SendAll<?>(var to, var message) -> parts.add("sends " + Words.label(message) + " to " + to);
                default -> {}
            }
        }
        return String.join(", ", parts);
    }
}
