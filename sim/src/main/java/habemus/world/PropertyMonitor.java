package habemus.world;

/**
 * A runtime-verification monitor: a pure state machine that decides from the observable events of a run whether a
 * {@link Property} holds. The simulator keeps the monitor state beside the run, the model checker as part of each
 * state, a log reader in a variable.
 *
 * @param <S> the monitor state: an immutable value, as small as possible
 */
public interface PropertyMonitor<S> {

    Property property();

    S initialState();

    S next(S state, ObservableEvent event);

    /**
     * Whether the property holds so far. For an {@link Property.When#EVENTUALLY} property: whether it holds if no
     * further event occurs.
     */
    boolean holds(S state);
}
