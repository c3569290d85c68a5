/**
 * An explicit-state model checker. It visits every reachable state of a small world once. For each property it proves
 * that it holds, or gives a run that violates it.
 *
 * <p>{@code ModelChecker} is the entry. The sub-packages, from the bottom up:
 *
 * <ul>
 *   <li>{@code model}: scope, options, actions and node states;
 *   <li>{@code store}: interned states and memoised transitions;
 *   <li>{@code reduction}: skips states, and proves that no run is lost;
 *   <li>{@code search}: visits the states breadth-first;
 *   <li>{@code liveness}: checks endless runs;
 *   <li>{@code counterexample}: turns visited states into runs.
 * </ul>
 */
@NullMarked
package habemus.check;

import org.jspecify.annotations.NullMarked;
