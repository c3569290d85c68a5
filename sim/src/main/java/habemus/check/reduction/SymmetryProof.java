package habemus.check.reduction;

import habemus.check.model.Action;
import habemus.check.model.NodePermutation;
import habemus.check.model.ReductionAssumptions;
import habemus.check.model.RefutedAssumptions;
import habemus.check.model.Scope;
import habemus.check.store.GlobalStateTable;
import habemus.check.store.InboxTable;
import habemus.check.store.LongIntMap;
import habemus.check.store.Transition;
import habemus.check.store.TransitionTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Applies permutations of the node ids to node states and messages, and proves that they are automorphisms. The
 * permuted transitions of a node state must be the transitions of the permuted node state. The proof covers every
 * visited node state with every message that can be delivered there, so the algorithm declares nothing.
 */
final class SymmetryProof {

    /** What a transition does, in a form that can be compared. */
    private record TransitionSignature(
            Action action, int after, List<Long> outgoing, int globalEffect, boolean clearsRequest, boolean fails) {}

    private final Scope scope;
    private final TransitionTable transitions;
    private final InboxTable inboxes;
    private final GlobalStateTable globalStates;
    private final List<NodePermutation> group;
    private final RefutedAssumptions refutedAssumptions;
    private final LongIntMap permutedNodeStates = new LongIntMap();
    private final Set<Long> visited = new HashSet<>();
    private final List<long[]> unverified = new ArrayList<>();

    SymmetryProof(
            Scope scope,
            TransitionTable transitions,
            InboxTable inboxes,
            GlobalStateTable globalStates,
            ReductionAssumptions reductionAssumptions) {
        this.scope = scope;
        this.transitions = transitions;
        this.inboxes = inboxes;
        this.globalStates = globalStates;
        group = reductionAssumptions.group();
        refutedAssumptions = reductionAssumptions.refuted();
    }

    int nodeState(int permutation, int nodeState) {
        long key = (long) permutation << 32 | nodeState;
        int known = permutedNodeStates.get(key);
        return known != LongIntMap.ABSENT
                ? known
                : permutedNodeStates.put(key, computeNodeState(group.get(permutation), nodeState));
    }

    private int computeNodeState(NodePermutation permutation, int nodeState) {
        var value = transitions.nodeState(nodeState);
        try {
            var permuted = permutation.permutedNodeState(value);
            if (permutation.inverse().permutedNodeState(permuted).equals(value)) {
                return transitions.idOf(permuted);
            }
        } catch (RuntimeException notPermutable) {
            // the value cannot be permuted, so the permutation is no symmetry
        }
        refutedAssumptions.refute(permutation);
        return nodeState;
    }

    /** The number of permutations. */
    int size() {
        return group.size();
    }

    int message(int permutation, int message) {
        try {
            return inboxes.idOf(group.get(permutation).permuted(inboxes.message(message)));
        } catch (RuntimeException notPermutable) {
            refutedAssumptions.refute(group.get(permutation));
            return message;
        }
    }

    int inbox(int permutation, int inbox) {
        int permuted = inboxes.empty();
        for (int message : inboxes.messages(inbox)) {
            permuted = inboxes.with(permuted, message(permutation, message));
        }
        return permuted;
    }

    /** Adds a node state, and the messages that can be delivered there, to what has to be proven. */
    void visit(int nodeState, int[] messages) {
        visit(nodeState, -1);
        for (int message : messages) {
            visit(nodeState, message);
        }
    }

    private void visit(int nodeState, int message) {
        if (visited.add((long) nodeState << 32 | message & 0xFFFF_FFFFL)) {
            unverified.add(new long[] {nodeState, message});
        }
    }

    /** Checks what was visited since the last call, and refutes the permutations that are no automorphisms. */
    void verify() {
        for (long[] pair : unverified) {
            for (int i = 1; i < group.size(); i++) {
                if (refutedAssumptions.allows(group.get(i)) && !isPreserved(i, (int) pair[0], (int) pair[1])) {
                    refutedAssumptions.refute(group.get(i));
                }
            }
        }
        unverified.clear();
    }

    private boolean isPreserved(int permutation, int nodeState, int message) {
        try {
            int permutedState = nodeState(permutation, nodeState);
            var here = transitions.transitions(
                    message < 0 ? transitions.withoutMessage(nodeState) : transitions.onMessage(nodeState, message));
            var there = transitions.transitions(
                    message < 0
                            ? transitions.withoutMessage(permutedState)
                            : transitions.onMessage(permutedState, message(permutation, message)));
            return scope.isBeyondBound(transitions.nodeState(nodeState))
                            == scope.isBeyondBound(transitions.nodeState(permutedState))
                    && permutedSignatures(permutation, here).equals(signatures(there));
        } catch (RuntimeException unreachable) {
            return false; // the algorithm failed in a state that no run reaches
        }
    }

    private Set<TransitionSignature> permutedSignatures(int permutation, List<Transition> transitionsHere) {
        var applied = group.get(permutation);
        return transitionsHere.stream()
                .map(transition -> new TransitionSignature(
                        applied.permuted(transition.action()),
                        nodeState(permutation, transition.after()),
                        sorted(transition.outgoing(), permutation),
                        globalStates.permutedEffect(applied, transition.globalEffect()),
                        transition.clearsRequest(),
                        transition.failure() != null))
                .collect(Collectors.toSet());
    }

    private Set<TransitionSignature> signatures(List<Transition> transitionsHere) {
        return transitionsHere.stream()
                .map(transition -> new TransitionSignature(
                        transition.action(),
                        transition.after(),
                        sorted(transition.outgoing(), -1),
                        transition.globalEffect(),
                        transition.clearsRequest(),
                        transition.failure() != null))
                .collect(Collectors.toSet());
    }

    private List<Long> sorted(Transition.OutgoingMessages outgoingMessages, int permutation) {
        var items = new int[2 * outgoingMessages.size()];
        for (int i = 0; i < outgoingMessages.size(); i++) {
            items[2 * i] =
                    permutation < 0 ? outgoingMessages.message(i) : message(permutation, outgoingMessages.message(i));
            items[2 * i + 1] = permutation < 0
                    ? outgoingMessages.receiver(i)
                    : group.get(permutation).node(outgoingMessages.receiver(i));
        }
        return Arrays.stream(Transition.OutgoingMessages.sorted(
                        scope.inOrder(), List.of(new Transition.OutgoingMessages(items))))
                .map(item -> (Long) item)
                .toList();
    }
}
