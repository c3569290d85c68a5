package habemus.check;

import static java.util.Objects.requireNonNullElse;

import habemus.protocol.Dicing;
import habemus.protocol.Effect;
import habemus.protocol.Event;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The duties in the states of a search. Where links keep their order a link owes that its first letter arrives, else
 * every letter does, be it one of several that are equal. An alarm that is set again or calmed owes nothing for the
 * time before. Nobody must ask, and no hazard must strike.
 */
final class Duties implements Fairness {

    private final Graph graph;
    private final Stage<?, ?> stage;
    private final Corners corners;
    private final IdentityHashMap<Turn, Set<Duty>> known = new IdentityHashMap<>();

    Duties(Graph graph, Stage<?, ?> stage, Corners corners) {
        this.graph = graph;
        this.stage = stage;
        this.corners = corners;
    }

    @Override
    public Set<Duty> due(int state) {
        return graph.obliged(state).stream().map(this::duty).collect(Collectors.toSet());
    }

    @Override
    public Set<Duty> done(int state, int step) {
        var move = graph.moves(state).get(step);
        return known.computeIfAbsent(move.turn(), turn -> done(move));
    }

    @Override
    public List<int[]> rolls(int state) {
        return stage.protocol() instanceof Dicing ? workOutRolls(graph.moves(state)) : List.of();
    }

    /** The outcomes of one choice, made at one time: an alarm may ring at several. */
    private static List<int[]> workOutRolls(List<Move> moves) {
        record Roll(int node, Choice choice, int cut, int time) {}
        var times = new HashMap<Move, Integer>();
        var rolls = new LinkedHashMap<Roll, List<Integer>>();
        for (int step = 0; step < moves.size(); step++) {
            var move = moves.get(step);
            var turn = move.turn();
            var roll = new Roll(move.node(), turn.choice(), turn.way().cut(), times.merge(move, 1, Integer::sum));
            rolls.computeIfAbsent(roll, key -> new ArrayList<>()).add(step);
        }
        return rolls.values().stream()
                .filter(steps -> steps.size() > 1)
                .map(steps -> steps.stream().mapToInt(Integer::intValue).toArray())
                .toList();
    }

    private Set<Duty> done(Move move) {
        var done = new HashSet<Duty>();
        var turn = move.turn();
        if (turn.kind().must) {
            done.add(duty(move));
        }
        var outcome = stage.outcomes(corners.cell(turn.before()), turn.choice())
                .get(turn.way().which());
        for (var out : outcome.outs()) {
            if (out instanceof Outcome.Out.Did did) {
                did.effects().forEach(effect -> addAlarm(done, move.node(), effect));
            }
        }
        return done;
    }

    private Duty duty(Move move) {
        var choice = move.turn().choice();
        var letter = choice.letter();
        if (letter == null) {
            return new Duty(move.node(), requireNonNullElse(choice.event(), choice.kind()));
        }
        return new Duty(move.node(), stage.scope().inOrder() ? letter.from() : letter);
    }

    private static void addAlarm(Set<Duty> done, int node, Effect<?> effect) {
        switch (effect) {
            case Effect.Wake<?>(var alarm, var atLeast, var atMost) ->
                done.add(new Duty(node, new Event.Elapsed<>(alarm)));
            case Effect.Calm<?>(var alarm) -> done.add(new Duty(node, new Event.Elapsed<>(alarm)));
            default -> {}
        }
    }
}
