package habemus.bench;

import habemus.lab.bench.Fork;
import habemus.lab.bench.Rounds;

/** The checker in a JVM of its own: threads, rounds. */
final class CheckerRounds {

    private CheckerRounds() {}

    public static void main(String... args) {
        var order = Fork.Order.of(args);
        int threads = order.number(0);
        Rounds.of(order.started(), order.number(1), () -> Model.PUBLISHED.check(threads))
                .write(order.answer());
    }
}
