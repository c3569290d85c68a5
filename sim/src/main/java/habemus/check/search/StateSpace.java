package habemus.check.search;

import habemus.check.model.NodeSemantics;
import habemus.check.model.NodeState;
import habemus.check.model.ReductionAssumptions;
import habemus.check.model.Scope;
import habemus.check.reduction.EagerDelivery;
import habemus.check.reduction.ReductionProofs;
import habemus.check.reduction.SymmetryCanonicalizer;
import habemus.check.store.GlobalStateTable;
import habemus.check.store.LocalStateTable;
import habemus.protocol.ThreadProgram;
import habemus.world.Property;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/** The states of one scope: their tables, the next-state relation, and the reductions applied to it. */
public final class StateSpace {

    private final NodeSemantics<?, ?> nodeSemantics;
    private final GlobalStateTable globalStates;
    private final LocalStateTable localStates;
    private final ReductionAssumptions assumptions;

    /** @param properties the properties that monitors check along every run */
    public StateSpace(NodeSemantics<?, ?> nodeSemantics, List<Property> properties, ReductionAssumptions assumptions) {
        this.nodeSemantics = nodeSemantics;
        this.assumptions = assumptions;
        globalStates = new GlobalStateTable(nodeSemantics.scope(), properties);
        localStates = new LocalStateTable(
                nodeSemantics, globalStates, ReductionProofs.factory(nodeSemantics.scope(), globalStates, assumptions));
    }

    public NodeSemantics<?, ?> nodeSemantics() {
        return nodeSemantics;
    }

    public Scope scope() {
        return nodeSemantics.scope();
    }

    public LocalStateTable localStates() {
        return localStates;
    }

    public GlobalStateTable globalStates() {
        return globalStates;
    }

    public ReductionAssumptions assumptions() {
        return assumptions;
    }

    /** Generates representatives only. Each thread needs a generator of its own. */
    public SuccessorGenerator reducedSuccessors() {
        return new SuccessorGenerator(
                scope(),
                localStates,
                globalStates,
                assumptions.eagerDelivery() ? eagerDelivery() : null,
                assumptions.hasSymmetry() ? canonicalizer() : null);
    }

    /** Generates every successor as it is. Each thread needs a generator of its own. */
    public SuccessorGenerator successors() {
        return new SuccessorGenerator(scope(), localStates, globalStates, null, null);
    }

    public EagerDelivery eagerDelivery() {
        return new EagerDelivery(localStates);
    }

    public SymmetryCanonicalizer canonicalizer() {
        return new SymmetryCanonicalizer(
                localStates,
                globalStates,
                assumptions.group(),
                scope().topology().size());
    }

    /** The result of a program of threads in a state; empty if the protocol is no program, or has no result. */
    OptionalLong programResult(int[] state) {
        return nodeSemantics.protocol() instanceof ThreadProgram<?, ?> program
                ? IntStream.range(0, scope().topology().size())
                        .mapToObj(node -> localStates.nodeStateIn(state[node]))
                        .filter(NodeState::isUp)
                        .flatMapToLong(nodeState -> programResult(program, nodeState.state()).stream())
                        .findFirst()
                : OptionalLong.empty();
    }

    @SuppressWarnings("unchecked") // node states only hold states of this protocol
    private static <S> OptionalLong programResult(ThreadProgram<S, ?> program, Object state) {
        return program.result((S) state);
    }

    void recheckAssumptions() {
        localStates.recheckAssumptions();
        globalStates.verifySymmetry(assumptions.group(), assumptions.refuted());
    }

    boolean assumptionsHold() {
        recheckAssumptions();
        return localStates.isEagerDeliveryProven() && assumptions.isSymmetryUnrefuted();
    }

    /** The approximate memory of the tables. */
    long bytes() {
        return localStates.bytes() + globalStates.bytes();
    }
}
