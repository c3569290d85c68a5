package habemus.lab.museum;

import habemus.check.Checker;
import habemus.check.Report;
import habemus.check.Schedule;
import habemus.lab.picture.TextDiagram;
import habemus.lab.trace.Recording;
import habemus.world.Property;
import habemus.world.TraceLine;
import java.util.List;
import java.util.Optional;

/**
 * A mutant that was just seen to die.
 *
 * @param lines what happened, one move a microsecond
 * @param verdict what it broke, in words
 */
public record Exhibit(Kill kill, List<TraceLine> lines, String verdict) {

    public Exhibit {
        lines = List.copyOf(lines);
    }

    /**
     * Has the mutant die of this. A run without end is searched for anew, because playing it shows no end.
     *
     * @return nothing if it survives
     */
    public static Optional<Exhibit> of(Hunt hunt, Kill kill) {
        return kill.loop().isPresent() ? again(hunt, kill) : played(hunt, kill);
    }

    private static Optional<Exhibit> again(Hunt hunt, Kill kill) {
        return hunt.find(kill.world())
                .filter(finding -> finding.schedule().equals(kill.schedule()))
                .filter(finding -> finding.loop().equals(kill.loop()))
                .map(finding -> new Exhibit(kill, finding.run(), words(finding.name()) + ", for ever"));
    }

    private static Optional<Exhibit> played(Hunt hunt, Kill kill) {
        try {
            var world = kill.world();
            var played = Checker.play(hunt.protocol(world), world.scope(), kill.schedule());
            var breaks = hunt.mutant().breaks();
            var bug = played.bug().filter(any -> breaks.equals(Report.PROTOCOL_BUG));
            boolean violated = played.lines().stream()
                    .anyMatch(line -> line instanceof TraceLine.Violated one
                            && one.property().toString().equals(breaks));
            return violated || bug.isPresent()
                    ? Optional.of(new Exhibit(kill, played.lines(), bug.orElse(words(breaks))))
                    : Optional.empty();
        } catch (Schedule.Impossible otherwise) {
            return Optional.empty();
        }
    }

    private static String words(String breaks) {
        return Property.find(breaks)
                .map(property -> breaks + " violated: " + property.sentence())
                .orElse(breaks);
    }

    public Mutant mutant() {
        return kill.mutant();
    }

    public Recording recording() {
        var title = mutant() + ": " + mutant().breaks() + " violated";
        return new Recording(title, kill.world().scope().topology().nodes(), lines);
    }

    /** {@code 2 nodes, each asks twice: a shortest run, 4 steps}. */
    public String summary() {
        var steps = kill.steps() == 1 ? "1 step" : kill.steps() + " steps";
        return kill.world() + (kill.isShortest() ? ": a shortest run, " : ": a run without end, ") + steps;
    }

    /** What happened, for a terminal; what should have been impossible is no line of a run, and stands beneath it. */
    public String diagram(boolean colour) {
        var diagram = TextDiagram.draw(recording(), colour, kill.loop().orElse(Integer.MAX_VALUE));
        return mutant().breaks().equals(Report.PROTOCOL_BUG) ? diagram + verdict + "\n" : diagram;
    }
}
