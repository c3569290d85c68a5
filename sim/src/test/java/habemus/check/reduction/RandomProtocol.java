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
 * A mutex that makes no sense: a few bits, and a table drawn by a seed of what each event does to them, what is sent
 * and when somebody gets in, which may be when it has heard from several. Many of its events commute, many do not.
 */
final class RandomProtocol
        implements Mutex<State, Message>, Timed<State, Message, Timer>, Durable<State, Message, RandomProtocol.Memory> {

    private static final int BITS = 3;
    private static final int KINDS = 3;
    private static final int EVENTS = KINDS + 3;

    /** @param hops how often it may still cause another one */
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
        private State in(Phase next) {
            return new State(self, peers, next, bits);
        }

        private State having(int next) {
            return new State(self, peers, phase, next);
        }
    }

    /** What an event does: new bits, and what is sent if they were like this. */
    private record Row(int set, int clear, int flip, int mask, int like, int answer, boolean toAll, int forbidden) {}

    private final List<Row> rows;
    private final int mask;
    private final int like;
    private final boolean rings;
    private final boolean counts;

    RandomProtocol(long seed) {
        var random = new SplittableRandom(seed);
        rows = Stream.generate(() -> row(random)).limit(EVENTS).toList();
        mask = random.nextInt(1 << BITS);
        like = random.nextBoolean() ? mask : mask & random.nextInt(1 << BITS);
        rings = random.nextInt(4) == 0;
        counts = random.nextBoolean();
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

    private static int bits(SplittableRandom random, int rarely) {
        return random.nextInt(rarely) == 0 ? 1 << random.nextInt(BITS) : 0;
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
        return start(neighbourhood).then(s -> to(s.having(memory.bits)));
    }

    @Override
    public Step<State, Message> acquire(State s) {
        var asked = react(s.in(Phase.WAITING), KINDS, s.peers, 2);
        return rings ? asked.setTimer(Timer.TIMEOUT, Duration.ofMillis(100)) : asked;
    }

    @Override
    public Step<State, Message> release(State s) {
        return react(s.in(Phase.IDLE), KINDS + 1, s.peers, 1);
    }

    @Override
    public Step<State, Message> timeout(State s, Timer timer) {
        return react(s, KINDS + 2, s.peers, 1);
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        int heard = counts && message.hops < 2 ? 1 << from.number() % BITS : 0;
        return react(s.having(s.bits | heard), message.kind, NodeSet.of(from), message.hops);
    }

    private Step<State, Message> react(State s, int event, NodeSet whom, int hops) {
        var row = rows.get(event);
        ProtocolBug.unless(s.bits != row.forbidden, "event " + event, s);
        var next = s.having((s.bits | row.set) & ~row.clear ^ row.flip);
        boolean in = next.phase == Phase.WAITING && (next.bits & mask) == like;
        var step = in ? to(next.in(Phase.HOLDING)).grant(1) : to(next);
        boolean answers = hops > 0 && row.answer < KINDS && (s.bits & row.mask) == row.like;
        return answers ? step.sendAll(row.toAll ? s.peers : whom, new Message(row.answer, hops - 1)) : step;
    }
}
