package habemus.service.runtime;

import habemus.codec.ByteString;
import habemus.protocol.Durable;
import habemus.protocol.Neighbourhood;
import habemus.protocol.Step;
import habemus.service.storage.DurableStateFile;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Keeps on disk what a machine must remember. */
public interface DurableStateStore<S, M> {

    /** How it comes up with what it remembers; nothing if it never was here before. */
    Optional<Step<S, M>> restart(Neighbourhood neighbourhood);

    /** What it came up with, as it is on disk; empty if there was nothing. */
    ByteString loadedBytes();

    /** Does not return before what the state says must be remembered is on disk. */
    void save(S state);

    /** Of a machine, or a node, without a disk. */
    static <S, M> DurableStateStore<S, M> none() {
        return new DurableStateStore<>() {
            @Override
            public Optional<Step<S, M>> restart(Neighbourhood neighbourhood) {
                return Optional.empty();
            }

            @Override
            public ByteString loadedBytes() {
                return ByteString.EMPTY;
            }

            @Override
            public void save(S state) {}
        };
    }

    /** In this file, whenever it has changed. */
    static <S, M, D> DurableStateStore<S, M> of(Durable<S, M, D> durable, DurableStateFile<D> file) {
        return new DurableStateStore<>() {
            private @Nullable D kept;
            private ByteString recalled = ByteString.EMPTY;

            @Override
            public Optional<Step<S, M>> restart(Neighbourhood neighbourhood) {
                var memory = file.load();
                kept = memory.orElse(null);
                memory.ifPresent(some -> recalled = file.codec().writeByteString(some));
                return memory.map(some -> durable.restart(neighbourhood, some));
            }

            @Override
            public ByteString loadedBytes() {
                return recalled;
            }

            @Override
            public void save(S state) {
                var memory = durable.durableState(state);
                if (!memory.equals(kept)) {
                    file.save(memory);
                    kept = memory;
                }
            }
        };
    }
}
