package habemus.bench.raft;

import habemus.election.VoteWeights;
import habemus.protocol.ByteString;
import habemus.protocol.EntryId;
import habemus.protocol.Event;
import habemus.protocol.LogCall;
import habemus.protocol.LogEntry;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Step;
import habemus.raft.Raft;
import habemus.raft.RaftMessage;
import habemus.raft.RaftState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * One step of {@link Raft} with a batch of 24 entries of 60 bytes, in a cluster of three nodes.
 *
 * <p>The steps start from states whose logs end at different places of a chunk, one after the other. The cost of an
 * append depends on that place.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RaftStepBenchmark {

    private static final int BATCH = 24;
    private static final int ENTRY_BYTES = 60;

    /** A power of two. With a batch between them, the logs of the states end at 16 places of a chunk of 128 entries. */
    private static final int STATES = 16;

    private static final NodeId SELF = new NodeId(1);
    private static final NodeId PEER = new NodeId(2);

    private static final Raft RAFT = new Raft(
            NodeSet.NONE,
            VoteWeights.EQUAL,
            true,
            true,
            new Raft.Flow(64, 8, 1 << 16),
            Duration.ofMillis(300),
            Duration.ofMillis(100));

    /** Entries that are not in a snapshot. */
    @Param({"1000", "1000000"})
    private int logSize;

    private final List<Input> proposals = new ArrayList<>();
    private final List<Input> acknowledgements = new ArrayList<>();
    private final List<Input> appends = new ArrayList<>();
    private final List<Input> syncs = new ArrayList<>();
    private int next;

    private record Input(RaftState state, Event<RaftMessage> event) {
        Step<RaftState, RaftMessage> step() {
            return RAFT.step(state, event);
        }
    }

    @Setup
    public void prepare() {
        var leader = leader();
        var follower = follower();
        for (int i = 0; i < STATES; i++) {
            leader = addLeaderInputs(leader);
            follower = addFollowerInputs(follower);
        }
    }

    private static RaftState start() {
        return RAFT.start(new Neighbourhood(SELF, List.of(PEER, new NodeId(3)))).state();
    }

    /** The leader of term 2, with a committed log of this size that both followers have. */
    private RaftState leader() {
        var state = start();
        state = on(state, received(append(1, new EntryId(0, 0), commands(logSize - 1))));
        state = on(state, new Event.Synced<>(new EntryId(logSize - 1, 1)));
        state = on(state, new Event.Timeout<>(RaftState.Timer.ELECTION_TIMEOUT));
        state = on(state, received(new RaftMessage.PreVoteGranted(1)));
        state = on(state, received(new RaftMessage.VoteGranted(2)));
        return acknowledged(on(state, new Event.Synced<>(new EntryId(logSize, 2))), logSize);
    }

    private static RaftState acknowledged(RaftState state, long index) {
        var ack = new RaftMessage.AppendAck(2, index, 0);
        return on(on(state, received(ack)), new Event.Received<>(new NodeId(3), ack));
    }

    private RaftState addLeaderInputs(RaftState leader) {
        var proposal = new Input(
                leader,
                new Event.Call<>(new LogCall.Propose(LongStream.range(0, BATCH)
                        .mapToObj(id -> new LogCall.Proposal(id, command()))
                        .toList())));
        long last = RAFT.view(leader).log().lastIndex() + BATCH;
        var synced = on(proposal.step().state(), new Event.Synced<>(new EntryId(last, 2)));
        proposals.add(proposal);
        acknowledgements.add(new Input(synced, received(new RaftMessage.AppendAck(2, last, 0))));
        return acknowledged(synced, last);
    }

    /** A follower in term 1, with a committed log of this size. */
    private RaftState follower() {
        var state = on(start(), received(append(1, new EntryId(0, 0), commands(logSize))));
        return on(state, received(new RaftMessage.CommitTo(1, logSize)));
    }

    private RaftState addFollowerInputs(RaftState follower) {
        var append =
                new Input(follower, received(append(1, RAFT.view(follower).log().last(), commands(BATCH))));
        var appended = append.step().state();
        var sync =
                new Input(appended, new Event.Synced<>(RAFT.view(appended).log().last()));
        appends.add(append);
        syncs.add(sync);
        return sync.step().state();
    }

    private static RaftMessage append(long term, EntryId previous, List<LogEntry> entries) {
        return new RaftMessage.AppendEntries(term, previous, entries, previous.index(), 0);
    }

    private static List<LogEntry> commands(int count) {
        return LongStream.range(0, count)
                .mapToObj(i -> new LogEntry(1, new LogEntry.Command(command())))
                .toList();
    }

    private static ByteString command() {
        return ByteString.of(new byte[ENTRY_BYTES]);
    }

    private static Event<RaftMessage> received(RaftMessage message) {
        return new Event.Received<>(PEER, message);
    }

    private static RaftState on(RaftState state, Event<RaftMessage> event) {
        return RAFT.step(state, event).state();
    }

    private Step<RaftState, RaftMessage> step(List<Input> inputs) {
        next = next + 1 & STATES - 1;
        return inputs.get(next).step();
    }

    /** The application proposes a batch; the leader appends it and sends it to both followers. */
    @Benchmark
    public Step<RaftState, RaftMessage> leaderAppends() {
        return step(proposals);
    }

    /** A follower acknowledges the batch; the leader commits it, applies it and answers 24 proposals. */
    @Benchmark
    public Step<RaftState, RaftMessage> leaderCommits() {
        return step(acknowledgements);
    }

    /** A follower compares the batch with its log, appends it and applies the entries before it. */
    @Benchmark
    public Step<RaftState, RaftMessage> followerAppends() {
        return step(appends);
    }

    /** The disk has synced the batch; the follower acknowledges it. */
    @Benchmark
    public Step<RaftState, RaftMessage> followerAcknowledges() {
        return step(syncs);
    }
}
