package habemus.check;

import static java.util.function.Predicate.not;

import habemus.protocol.Protocol;
import habemus.protocol.ProtocolBug;
import habemus.world.Property;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Plays runs that are given as schedules, in a world where whatever they need may happen. */
final class Player {

    private final Stage<?, ?> stage;
    private final Corners corners;
    private final Globals globals;
    private final Expander expander;
    private final int global; // the place of what belongs to no node, in a state

    /** @param scope in which what the schedules need may happen: see {@link Schedule#freely} */
    Player(Protocol<?, ?> protocol, Scope scope, List<Property> properties) {
        stage = new Stage<>(protocol, scope, properties.contains(Property.HAPPENED_BEFORE_ORDER));
        globals = new Globals(scope, properties);
        corners = new Corners(stage, globals, Assumptions.none(scope.topology().nodes()));
        expander = new Expander(scope, corners, globals);
        global = scope.topology().size();
    }

    /** Everybody has just come up. */
    Course begin(Schedule schedule) {
        var told = schedule.acts().stream()
                .filter(act -> act.verb() == Act.Verb.START)
                .collect(Collectors.toMap(Act::node, act -> act, (one, other) -> other));
        return expander.begin().stream()
                .filter(beginning -> told.values().stream().allMatch(act -> {
                    int node = stage.index(act.node());
                    return node >= 0
                            && new Ledger(stage, corners)
                                    .nameStart(node, beginning.starts().get(node))
                                    .equals(act);
                }))
                .findFirst()
                .map(beginning -> new Course(expander, new Ledger(stage, corners), beginning))
                .orElseThrow(() -> new Schedule.Impossible(
                        "no run begins with "
                                + told.values().stream().map(Act::toString).collect(Collectors.joining(".")),
                        "a start is only named if it rolls dice"));
    }

    /** @throws Schedule.Impossible if a move cannot be made */
    Course play(Schedule schedule) {
        var course = begin(schedule);
        var acts = moves(schedule);
        for (int i = 0; i < acts.size(); i++) {
            var act = acts.get(i);
            var option = course.find(act);
            if (option.isEmpty()) {
                var possible = course.options().stream()
                        .map(each -> each.act.toString())
                        .distinct()
                        .collect(Collectors.joining(", "));
                throw new Schedule.Impossible(
                        "move " + (i + 1) + ", " + act + ", is not possible there",
                        possible.isEmpty() ? "the run ends before it" : "possible are " + possible);
            }
            course.go(option.get());
        }
        return course;
    }

    /** The acts that are no starts. */
    static List<Act> moves(Schedule schedule) {
        return schedule.acts().stream()
                .filter(act -> act.verb() != Act.Verb.START)
                .toList();
    }

    /** The same run in bursts, if it comes to the same. */
    Course inBursts(Course course) {
        var again =
                tried(course.schedule(Bursts.order(course.made(), stage.scope().isSynchronous())));
        return again.filter(other -> Arrays.equals(other.state(), course.state()))
                .filter(other -> (other.failure() == null) == (course.failure() == null))
                .orElse(course);
    }

    private Optional<Course> tried(Schedule schedule) {
        try {
            return Optional.of(play(schedule));
        } catch (Schedule.Impossible otherOrder) {
            return Optional.empty();
        }
    }

    /** Whether this property, {@link Report#PROTOCOL_BUG} or {@link Report#IMPURE} is violated. */
    boolean violates(Course course, String name) {
        var failure = course.failure();
        if (failure != null) {
            return name.equals(failure instanceof ProtocolBug ? Report.PROTOCOL_BUG : Report.IMPURE);
        }
        int now = course.state()[global];
        return isAmong(globals.violated(now), name) || isAmong(globals.violatedAtRest(now), name) && course.isAtRest();
    }

    private boolean isAmong(int bits, String name) {
        return globals.properties(bits).stream().map(Property::toString).anyMatch(name::equals);
    }

    /** As it is told. */
    Played told(Course course) {
        boolean atRest = course.failure() == null && course.isAtRest();
        var lines = new Replay(stage, corners, globals).lines(course.starts(), course.moves(), atRest);
        var bug =
                Optional.ofNullable(course.failure()).map(Throwable::getMessage).filter(not(String::isEmpty));
        return new Played(course.schedule(), lines, atRest, bug);
    }
}
