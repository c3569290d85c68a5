package habemus.world;

/**
 * The pure machine that tells whether a {@link Property} is still true, from what is seen from outside. A simulator
 * keeps the judge's mind beside its own state, a checker in its states, a reader of logs in a variable.
 *
 * @param <H> what the judge remembers: a value, as small as can be
 */
public interface PropertyMonitor<H> {

    Property property();

    H initialState();

    H next(H state, ObservableEvent event);

    /** Whether it is true so far; of a property {@link Property.When#EVENTUALLY}, if nothing ever happens again. */
    boolean holds(H state);
}
