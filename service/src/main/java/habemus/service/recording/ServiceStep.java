package habemus.service.recording;

import habemus.codec.Codec;
import habemus.lockservice.protocol.LockServer;
import habemus.protocol.ByteString;
import habemus.protocol.Event;
import habemus.protocol.WireTags;
import habemus.raft.Raft;
import habemus.raft.RaftMessage;
import habemus.raft.RaftState;

/**
 * One record of the recording of a node. Times are microseconds of the wall clock. An outcome is the encoded
 * {@link StepOutcome}.
 *
 * @param <M> the messages of the log
 */
@WireTags({
    ServiceStep.ServerStarted.class,
    ServiceStep.LogStarted.class,
    ServiceStep.LogStep.class,
    ServiceStep.ServerStep.class,
    ServiceStep.Stopped.class
})
sealed interface ServiceStep<M> {

    Codec<ServiceStep<RaftMessage>> CODEC = Codec.forProtocol(StepOutcome.ANY_LOG, ServiceStep.class);

    long at();

    record ServerStarted<M>(long at, LockServer lockServer) implements ServiceStep<M> {}

    /** @param durable the state on disk with which the machine started */
    record LogStarted<M>(long at, Raft raft, RaftState.DurableState durable, ByteString outcome)
            implements ServiceStep<M> {}

    record LogStep<M>(long at, Event<M> event, ByteString outcome) implements ServiceStep<M> {}

    record ServerStep<M>(long at, ServerInput input, ByteString outcome) implements ServiceStep<M> {}

    /** The node was stopped. A recording without this record ends with a crash. */
    record Stopped<M>(long at) implements ServiceStep<M> {}
}
