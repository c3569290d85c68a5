package habemus.service.recording;

import habemus.codec.Codec;
import habemus.election.VoteWeights;
import habemus.lockservice.Quotas;
import habemus.lockservice.protocol.LockServer;
import habemus.lockservice.protocol.Message;
import habemus.protocol.Effect;
import habemus.protocol.EntryId;
import habemus.protocol.NodeSet;
import habemus.protocol.Step;
import habemus.raft.Raft;
import habemus.raft.RaftMessage;
import habemus.raft.RaftState;
import java.time.Duration;
import java.util.List;

/**
 * What a step is compared by: a summary of the next state, and all effects. Commands and snapshots are represented by
 * their checksums, because the events have them already.
 */
final class StepOutcome {

    /** The codecs depend on the types of the machines only. */
    static final LockServer ANY_SERVER = new LockServer(Duration.ZERO, Duration.ZERO, Quotas.UNLIMITED);

    static final Raft ANY_LOG =
            new Raft(NodeSet.NONE, VoteWeights.EQUAL, true, true, new Raft.Flow(1, 1, 1), Duration.ZERO, Duration.ZERO);
    static final Codec<LogOutcome<RaftMessage>> LOG_CODEC = Codec.digestForProtocol(ANY_LOG, LogOutcome.class);
    static final Codec<ServerOutcome<Message>> SERVER_CODEC = Codec.digestForProtocol(ANY_SERVER, ServerOutcome.class);

    private StepOutcome() {}

    /** The outcome of a step of the log. */
    record LogOutcome<M>(LogSummary state, List<Effect<M>> effects) {}

    /** The state of a log, without its entries. Entries are compared when they are sent and applied. */
    record LogSummary(
            long term,
            NodeSet vote,
            EntryId base,
            EntryId last,
            long syncedIndex,
            long commitIndex,
            RaftState.Role role) {}

    /** The outcome of a step of the lock server. */
    record ServerOutcome<M>(ServerSummary state, List<Effect<M>> effects) {}

    /**
     * @param index number of commands that the table has applied
     * @param clients number of clients that open a session, attach to one, are attached, and watch
     */
    record ServerSummary(
            long index,
            int sessions,
            int resources,
            List<Integer> clients,
            int renewals,
            boolean isLeader,
            long ticks) {}

    static LogOutcome<RaftMessage> of(Step<RaftState, RaftMessage> step) {
        var s = step.state();
        var log = s.durable().log();
        return new LogOutcome<>(
                new LogSummary(
                        s.durable().term(),
                        s.durable().vote(),
                        log.base(),
                        log.last(),
                        s.durable().syncedIndex(),
                        s.commitIndex(),
                        s.role()),
                step.effects());
    }

    static ServerOutcome<Message> ofServer(Step<LockServer.State, Message> step) {
        var s = step.state();
        var clients = s.connections();
        return new ServerOutcome<>(
                new ServerSummary(
                        s.table().index(),
                        s.table().sessions().size(),
                        s.table().resources().size(),
                        List.of(
                                clients.opening().size(),
                                clients.attaching().size(),
                                clients.attached().size(),
                                clients.watchers().size()),
                        s.renewals().size(),
                        s.isLeader(),
                        s.leases().ticks()),
                step.effects());
    }
}
