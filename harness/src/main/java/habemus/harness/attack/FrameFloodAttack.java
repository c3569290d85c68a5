package habemus.harness.attack;

import habemus.lockservice.Operation;
import habemus.lockservice.ResourceShare;
import habemus.lockservice.protocol.Message;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Valid requests of one client, as fast as the node reads them. The others must be served all the same. */
final class FrameFloodAttack implements Attack {

    private static final int REQUESTS_PER_WRITE = 100;

    @Override
    public String name() {
        return "frame-flood";
    }

    @Override
    public String summary() {
        return "valid requests of one client, as fast as the node reads them";
    }

    @Override
    public Setting setting() {
        return Setting.OPEN;
    }

    @Override
    public Outcome run(AttackRun run) throws IOException, InterruptedException {
        long sent = 0;
        var answered = new AtomicLong();
        long start = System.nanoTime();
        long end = start + run.budget().flood().toNanos();
        try (var attacker = new AttackerConnection(SocketExchange.connect(run.victim(), Victim.Port.CLIENT, 0), "")) {
            long session = attacker.openSession(1);
            var reader = Thread.ofPlatform().daemon().start(() -> count(attacker, answered));
            try {
                for (long number = 1; System.nanoTime() - end < 0; number += REQUESTS_PER_WRITE) {
                    attacker.send(requests(session, number));
                    sent += REQUESTS_PER_WRITE;
                    run.progress().showText("attack " + name());
                }
            } catch (IOException disconnected) {
                // the node may end the connection of a client that floods it
            }
            attacker.disconnect();
            reader.join();
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        return new Outcome(
                AttackRun.format("%,d requests, %,.0f a second, %,d answered", sent, sent / seconds, answered.get()),
                List.of());
    }

    /** Acquires and releases, in turn, from this number on. */
    private static List<Message.ClientRequest> requests(long session, long first) {
        var requests = new ArrayList<Message.ClientRequest>();
        for (long number = first; number < first + REQUESTS_PER_WRITE; number += 2) {
            var acquire = new Operation.Acquire(List.of(ResourceShare.exclusive("attack-flood")), false, 0);
            requests.add(new Message.Submit(session, number, number - 1, acquire));
            requests.add(new Message.Submit(session, number + 1, number - 1, new Operation.Release(number)));
        }
        return requests;
    }

    private static void count(AttackerConnection attacker, AtomicLong answered) {
        try {
            while (true) {
                attacker.read();
                answered.incrementAndGet();
            }
        } catch (IOException ended) {
            // the attack is over
        }
    }
}
