package habemus.bench.peers;

import habemus.bench.product.BenchmarkStep;
import java.util.ArrayList;
import java.util.List;

/**
 * The benchmark steps of each product in each round.
 *
 * @param clients numbers of concurrent clients, measured one after the other
 * @param warmup seconds before the measurements, half of them with many clients and half with one
 * @param seconds length of each measurement
 */
record BenchmarkPlan(List<Integer> clients, double warmup, double seconds, int rounds) {

    static final BenchmarkStep.KillLeader KILL = new BenchmarkStep.KillLeader(8);
    private static final int WARMUP_CLIENTS = 64;

    BenchmarkStep.Load load(boolean shared, int number) {
        return new BenchmarkStep.Load(shared, number, seconds);
    }

    /** The numbers of clients with contention: more than one. */
    List<Integer> contendingClients() {
        return clients.stream().filter(number -> number > 1).toList();
    }

    BenchmarkStep.CountSyncs syncs(int number) {
        return new BenchmarkStep.CountSyncs(number, seconds);
    }

    /** The steps of a round. The latency floor is measured without load, syncs only in the first round. */
    List<BenchmarkStep> steps(boolean firstRound) {
        var benchmarkSteps = new ArrayList<BenchmarkStep>();
        benchmarkSteps.add(new BenchmarkStep.WarmUp(WARMUP_CLIENTS, warmup / 2));
        benchmarkSteps.add(new BenchmarkStep.WarmUp(1, warmup / 2));
        clients.forEach(number -> benchmarkSteps.add(load(false, number)));
        contendingClients().forEach(number -> benchmarkSteps.add(load(true, number)));
        benchmarkSteps.add(new BenchmarkStep.MeasureFloor(2));
        if (firstRound) {
            clients.forEach(number -> benchmarkSteps.add(syncs(number)));
        }
        benchmarkSteps.add(KILL);
        return benchmarkSteps;
    }
}
