package habemus.service.loop;

import habemus.protocol.Durable;
import habemus.protocol.Place;
import habemus.protocol.Step;
import habemus.service.disk.MemoryFile;
import habemus.wire.Blob;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Keeps on disk what a machine must remember. */
public interface Keeper<S, M> {

    /** How it comes up with what it remembers; nothing if it never was here before. */
    Optional<Step<S, M>> restart(Place place);

    /** What it came up with, as it is on disk; empty if there was nothing. */
    Blob recalled();

    /** Does not return before what the state says must be remembered is on disk. */
    void keep(S state);

    /** Of a machine, or a node, without a disk. */
    static <S, M> Keeper<S, M> none() {
        return new Keeper<>() {
            @Override
            public Optional<Step<S, M>> restart(Place place) {
                return Optional.empty();
            }

            @Override
            public Blob recalled() {
                return Blob.EMPTY;
            }

            @Override
            public void keep(S state) {}
        };
    }

    /** In this file, whenever it has changed. */
    static <S, M, D> Keeper<S, M> of(Durable<S, M, D> durable, MemoryFile<D> file) {
        return new Keeper<>() {
            private @Nullable D kept;
            private Blob recalled = Blob.EMPTY;

            @Override
            public Optional<Step<S, M>> restart(Place place) {
                var memory = file.recall();
                kept = memory.orElse(null);
                memory.ifPresent(some -> recalled = file.codec().blob(some));
                return memory.map(some -> durable.restart(place, some));
            }

            @Override
            public Blob recalled() {
                return recalled;
            }

            @Override
            public void keep(S state) {
                var memory = durable.memory(state);
                if (!memory.equals(kept)) {
                    file.save(memory);
                    kept = memory;
                }
            }
        };
    }
}
