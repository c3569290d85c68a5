package habemus.service.runtime;

import habemus.protocol.ByteString;
import habemus.protocol.Durable;
import habemus.protocol.Neighbourhood;
import habemus.protocol.Step;
import habemus.service.storage.DurableStateFile;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Stores the durable state of a protocol instance. For one thread. */
public interface DurableStateStore<S, M> {

    /** The first step of a restart with the stored state. Empty if nothing is stored. */
    Optional<Step<S, M>> restart(Neighbourhood neighbourhood);

    /** The state of the last restart as it is on disk. Empty if nothing was stored. */
    ByteString loadedBytes();

    /** Returns when the durable part of the state is on disk. */
    void save(S state);

    /** Stores nothing: for a protocol without durable state, or a node without a disk. */
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

    /** Writes the file whenever the durable state has changed. */
    static <S, M, D> DurableStateStore<S, M> of(Durable<S, M, D> durable, DurableStateFile<D> file) {
        return new DurableStateStore<>() {
            private @Nullable D saved;
            private ByteString loadedBytes = ByteString.EMPTY;

            @Override
            public Optional<Step<S, M>> restart(Neighbourhood neighbourhood) {
                var durableState = file.load();
                saved = durableState.orElse(null);
                durableState.ifPresent(loaded -> loadedBytes = file.codec().writeByteString(loaded));
                return durableState.map(loaded -> durable.restart(neighbourhood, loaded));
            }

            @Override
            public ByteString loadedBytes() {
                return loadedBytes;
            }

            @Override
            public void save(S state) {
                var durableState = durable.durableState(state);
                if (!durableState.equals(saved)) {
                    file.save(durableState);
                    saved = durableState;
                }
            }
        };
    }
}
