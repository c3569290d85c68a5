package habemus.lab.trace;

import habemus.world.Happening;
import habemus.world.TraceLine;
import habemus.world.Wording;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The trace as text, for terminals and recorded conversations.
 *
 * <pre>
 *      1.250 ms  n2     Request(1@n1) from n1 → Idle   sends Reply(0) to n1
 *      4.000 ms  *      n3 crashes
 *      4.100 ms  x      Reply(0) from n2 to n3 finds n3 down
 *      7.310 ms  !!     mutual-exclusion violated: never two nodes are inside
 * </pre>
 */
public final class TraceText {

    private static final int TIME = 10;
    private static final int NODE = 5;

    private TraceText() {}

    /** Nothing for what other lines say already: most of what was seen from outside, and an uneventful first start. */
    public static List<String> of(TraceLine line) {
        return switch (line) {
            case TraceLine.Started(var at, var node, var how, var state, var effects, var sent)
            when how == TraceLine.Start.FIRST && sent.isEmpty() -> List.of();
            case TraceLine.Started started -> row(line, started.node(), step(started, Words.of(started.how())));
            case TraceLine.Stepped stepped -> row(line, stepped.node(), step(stepped, Words.of(stepped.event())));
            case TraceLine.Struck(var at, var fault) -> row(line, "*", Words.of(fault));
            case TraceLine.Fared(var at, var mail, var fate) -> row(line, "x", Words.of(mail, fate));
            case TraceLine.Told(var at, var mail) ->
                row(line, mail.from(), "tells " + mail.to() + " " + Wording.of(mail.message()));
            case TraceLine.Heard(var at, var mail) ->
                row(line, mail.to(), "hears " + Wording.of(mail.message()) + " from " + mail.from());
            case TraceLine.Wrote(var at, var node, var fence, var accepted) ->
                row(line, node, Words.ofWrite(fence, accepted));
            case TraceLine.Seen(var at, Happening.Asked(var node, var behind))
            when !behind.isEmpty() -> row(line, node, "asked after " + behind);
            case TraceLine.Seen seen -> List.of();
            case TraceLine.Violated(var at, var property) ->
                row(line, "!!", property + " violated: " + property.sentence());
        };
    }

    private static String step(TraceLine.Acted acted, String event) {
        var effects = acted.effects().stream()
                .map(effect -> Words.of(acted.node(), effect))
                .collect(Collectors.joining(", "));
        var change = event + " → " + Wording.of(Words.phase(acted.state()));
        return effects.isEmpty() ? change : change + "   " + effects;
    }

    private static List<String> row(TraceLine line, Object who, String what) {
        var time = Words.millis(line.at());
        var name = who.toString();
        return List.of(" ".repeat(Math.max(0, TIME - time.length())) + time + " ms  " + name
                + " ".repeat(Math.max(0, NODE - name.length())) + "  " + what);
    }
}
