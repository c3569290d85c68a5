package habemus.service.loop;

import habemus.protocol.Durable;
import habemus.protocol.Place;
import habemus.protocol.Step;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Keeps on disk what a machine must remember. */
public interface Keeper<S, M> {

    /** How it comes up with what it remembers; nothing if it never was here before. */
    Optional<Step<S, M>> restart(Place place);

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
            public void keep(S state) {}
        };
    }

    /** In this file, whenever it has changed. */
    static <S, M, D> Keeper<S, M> of(Durable<S, M, D> durable, MemoryFile<D> file) {
        return new Keeper<>() {
            private @Nullable D kept;

            @Override
            public Optional<Step<S, M>> restart(Place place) {
                var recalled = file.recall();
                kept = recalled.orElse(null);
                return recalled.map(memory -> durable.restart(place, memory));
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
