package habemus.bench.peers;

import habemus.peers.Step;
import java.util.ArrayList;
import java.util.List;

/**
 * What is done with every product, in every round.
 *
 * @param clients how many at once, one after the other
 * @param warmup seconds that nobody measures, half of them with many clients and half with one
 * @param seconds of each measurement
 */
record Plan(List<Integer> clients, double warmup, double seconds, int rounds) {

    static final Step.Kill KILL = new Step.Kill(8);
    private static final int MANY = 64;

    Step.Load load(boolean shared, int number) {
        return new Step.Load(shared, number, seconds);
    }

    /** One client cannot hand over. */
    List<Integer> contending() {
        return clients.stream().filter(number -> number > 1).toList();
    }

    Step.Syncs syncs(int number) {
        return new Step.Syncs(number, seconds);
    }

    /** With a pause of the load between them, in which the floor is measured; syncs are counted once. */
    List<Step> steps(boolean firstRound) {
        var steps = new ArrayList<Step>();
        steps.add(new Step.Warm(MANY, warmup / 2));
        steps.add(new Step.Warm(1, warmup / 2));
        clients.forEach(number -> steps.add(load(false, number)));
        contending().forEach(number -> steps.add(load(true, number)));
        steps.add(new Step.Floor(2));
        if (firstRound) {
            clients.forEach(number -> steps.add(syncs(number)));
        }
        steps.add(KILL);
        return steps;
    }
}
