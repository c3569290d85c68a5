package habemus.harness.simulation;

import habemus.protocol.NodeId;
import habemus.service.log.LogHealth;
import habemus.service.log.LogStats;
import habemus.service.log.ReplicatedLog;
import habemus.service.transport.Member;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The log of a node, with a witness between it and the lock server. */
record ObservedLog(ReplicatedLog log, Witness witness) implements ReplicatedLog {

    /** Sees what the log tells the lock server. */
    interface Witness {

        /** The lock server applies this entry next. */
        void onApply(long index, byte[] entry);

        /** The lock server has applied all committed entries. */
        void onIdle();

        /** The lock server has encoded its table. */
        void onSnapshot(byte[] snapshot);

        /** The lock server replaces its table. */
        void onRestore(byte[] snapshot);
    }

    @Override
    public void start(StateMachine stateMachine) {
        log.start(new ObservedStateMachine(stateMachine));
    }

    private final class ObservedStateMachine implements StateMachine {

        private final StateMachine stateMachine;

        ObservedStateMachine(StateMachine stateMachine) {
            this.stateMachine = stateMachine;
        }

        @Override
        public void apply(long index, byte[] entry) {
            witness.onApply(index, entry);
            stateMachine.apply(index, entry);
        }

        @Override
        public void onIdle() {
            stateMachine.onIdle();
            witness.onIdle();
        }

        @Override
        public Supplier<byte[]> snapshot() {
            var state = stateMachine.snapshot();
            return () -> {
                var bytes = state.get();
                witness.onSnapshot(bytes);
                return bytes;
            };
        }

        @Override
        public byte[] firstSnapshot() {
            return stateMachine.firstSnapshot();
        }

        @Override
        public void restore(byte[] snapshot) {
            witness.onRestore(snapshot);
            stateMachine.restore(snapshot);
        }

        @Override
        public void onLeaderChanged(Optional<NodeId> leader) {
            stateMachine.onLeaderChanged(leader);
        }
    }

    @Override
    public CompletableFuture<Void> propose(byte[] entry) {
        return log.propose(entry);
    }

    @Override
    public CompletableFuture<Void> addMember(Member member) {
        return log.addMember(member);
    }

    @Override
    public CompletableFuture<Void> removeMember(NodeId node) {
        return log.removeMember(node);
    }

    @Override
    public List<Member> members() {
        return log.members();
    }

    @Override
    public long term() {
        return log.term();
    }

    @Override
    public String clusterId() {
        return log.clusterId();
    }

    @Override
    public CompletableFuture<Void> compact() {
        return log.compact();
    }

    @Override
    public LogStats stats() {
        return log.stats();
    }

    @Override
    public LogHealth health() {
        return log.health();
    }

    @Override
    public CompletableFuture<Throwable> failure() {
        return log.failure();
    }

    @Override
    public void close() {
        log.close();
    }
}
