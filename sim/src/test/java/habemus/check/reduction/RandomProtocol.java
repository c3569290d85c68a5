package habemus.check.reduction;

import habemus.check.reduction.RandomProtocol.Message;
import habemus.check.reduction.RandomProtocol.State;
import habemus.check.reduction.RandomProtocol.Timer;
import habemus.protocol.Durable;
import habemus.protocol.Mutex;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Step;
import habemus.protocol.Timed;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * A random, meaningless mutex. Its state is a few bits. A table, drawn from a seed, says how each event changes them,
 * which messages are sent and when a node enters; that may need messages of several nodes. Many of its events commute,
 * many do not.
 */
final class RandomProtocol
        implements Mutex<State, Message>, Timed<State, Message, Timer>, Durable<State, Message, RandomProtocol.Memory> {

    private static final int BITS = 3;
    private static final int KINDS = 3;
    private static final int EVENTS = KINDS + 3;

    /** @param hops how many more messages it may cause in a row */
    record Message(int kind, int hops) {}

    enum Timer {
        TIMEOUT
    }

    enum Phase {
        IDLE,
        WAITING,
        HOLDING
    }

    record Memory(int bits) {}

    record State(NodeId self, NodeSet peers, Phase phase, int bits) {
        private State withPhase(Phase next) {
            return new State(self, peers, next, bits);
        }

        private State withBits(int next) {
            return new State(self, peers, phase, next);
        }
    }

    /** What an event does: the new bits, and the reply if the old bits match. */
    private record Row(int set, int clear, int flip, int mask, int like, int answer, boolean toAll, int forbidden) {}

    private final List<Row> rows;
    private final int mask;
    private final int like;
    private final boolean setsTimer;
    private final boolean recordsSenders;

    RandomProtocol(long seed) {
        var random = new SplittableRandom(seed);
        rows = Stream.generate(() -> row(random)).limit(EVENTS).toList();
        mask = random.nextInt(1 << BITS);
        like = random.nextBoolean() ? mask : mask & random.nextInt(1 << BITS);
        setsTimer = random.nextInt(4) == 0;
        recordsSenders = random.nextBoolean();
    }

    private static Row row(SplittableRandom random) {
        int mask = random.nextBoolean() ? 0 : 1 << random.nextInt(BITS);
        return new Row(
                bits(random, 2),
                bits(random, 6),
                bits(random, 8),
                mask,
                mask & random.nextInt(1 << BITS),
                random.nextInt(KINDS + 2),
                random.nextInt(3) == 0,
                random.nextInt(12) == 0 ? random.nextInt(1 << BITS) : -1);
    }

    private static int bits(SplittableRandom random, int bound) {
        return random.nextInt(bound) == 0 ? 1 << random.nextInt(BITS) : 0;
    }

    @Override
    public Step<State, Message> start(Neighbourhood neighbourhood) {
        return to(new State(neighbourhood.self(), neighbourhood.peers(), Phase.IDLE, 0));
    }

    @Override
    public Memory durableState(State s) {
        return new Memory(s.bits & mask);
    }

    @Override
    public Step<State, Message> restart(Neighbourhood neighbourhood, Memory memory) {
        return start(neighbourhood).then(s -> to(s.withBits(memory.bits)));
    }

    @Override
    public Step<State, Message> acquire(State s) {
        var asked = react(s.withPhase(Phase.WAITING), KINDS, s.peers, 2);
        return setsTimer ? asked.setTimer(Timer.TIMEOUT, Duration.ofMillis(100)) : asked;
    }

    @Override
    public Step<State, Message> release(State s) {
        return react(s.withPhase(Phase.IDLE), KINDS + 1, s.peers, 1);
    }

    @Override
    public Step<State, Message> timeout(State s, Timer timer) {
        return react(s, KINDS + 2, s.peers, 1);
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        int senderBit = recordsSenders && message.hops < 2 ? 1 << from.number() % BITS : 0;
        return react(s.withBits(s.bits | senderBit), message.kind, NodeSet.of(from), message.hops);
    }

    private Step<State, Message> react(State s, int event, NodeSet receivers, int hops) {
        var row = rows.get(event);
        ProtocolBug.unless(s.bits != row.forbidden, "event " + event, s);
        var next = s.withBits((s.bits | row.set) & ~row.clear ^ row.flip);
        boolean enters = next.phase == Phase.WAITING && (next.bits & mask) == like;
        var step = enters ? to(next.withPhase(Phase.HOLDING)).grant(1) : to(next);
        boolean answers = hops > 0 && row.answer < KINDS && (s.bits & row.mask) == row.like;
        return answers ? step.sendAll(row.toAll ? s.peers : receivers, new Message(row.answer, hops - 1)) : step;
    }
}
