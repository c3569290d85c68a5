package habemus.harness.simulation;

import habemus.lockservice.Command;
import habemus.lockservice.ResourceName;

/** What must hold at the end of a run, a while after all faults are healed. */
@SuppressWarnings("FutureReturnValueIgnored") // the monitors see the outcome
final class FinalChecks {

    private static final String KEPT_LOCK = "kept";
    private static final long KEPT_NANOS = FaultPlan.HEALED_NANOS + 10 * FaultPlan.SECOND;

    private final ServiceWorld world;
    private long settledIndex; // of the commands that every node must have at the end

    FinalChecks(ServiceWorld world) {
        this.world = world;
    }

    /** Near the end, an operator revokes a lock that a client keeps. The client must learn of it. */
    void plan() {
        world.time().at(KEPT_NANOS, () -> world.clients().getLast().keep(KEPT_LOCK));
        for (int second = 1; second < 4; second++) {
            world.time().at(KEPT_NANOS + second * 2L * FaultPlan.SECOND, this::revoke);
        }
        world.time()
                .at(
                        FaultPlan.END_NANOS - FaultPlan.SECOND,
                        () -> settledIndex = world.history().table().index());
    }

    private void revoke() {
        var name = ResourceName.lock(KEPT_LOCK);
        for (var holder : world.history().table().holders(name)) {
            var command = new Command.AdminCommand(
                    new Command.AdminAction.Release(name, holder.fence()), "operator", "console", "last drill");
            world.nodes().stream()
                    .filter(SimulatedNode::isRunning)
                    .findFirst()
                    .ifPresent(node -> node.call((log, server) -> server.submitAdminCommand(command)));
        }
    }

    void run() {
        if (world.trace().isViolated()) {
            return;
        }
        world.nodes().forEach(this::checkNode);
        world.clients().forEach(this::checkClient);
        world.trace().add(world.history().lastIndex(), world.history().table().index());
    }

    private void checkNode(SimulatedNode node) {
        if (node.isAmnesiac()) {
            world.violate(ServiceProperty.AMNESIA_REFUSED, () -> node + " was never refused");
        } else if (world.operator().isBusyWith(node)) {
            world.violate(ServiceProperty.PROGRESS, () -> "the members could not be changed: " + node);
        } else if (node.status() != SimulatedNode.Status.ABSENT) {
            checkRunning(node);
        }
    }

    private void checkRunning(SimulatedNode node) {
        var server = node.lockServer();
        if (server.isEmpty()) {
            world.violate(ServiceProperty.PROGRESS, () -> node + " does not run: " + node.status());
            return;
        }
        var table = server.get().table();
        world.history().verifyTable(node.id(), table);
        if (table.index() < settledIndex) {
            world.violate(
                    ServiceProperty.PROGRESS,
                    () -> node + " has applied " + table.index() + " of " + settledIndex + " commands");
        }
    }

    private void checkClient(ClientProcess client) {
        for (long fence : client.believedFences()) {
            if (!world.grants().isHeld(fence)) {
                world.violate(ServiceProperty.REVOCATION_REPORTED, () -> client + " believes in fence " + fence);
            }
        }
        if (client.isWaiting()) {
            world.violate(ServiceProperty.PROGRESS, () -> client + " still waits");
        }
        if (!client.isCandidate() && client.servedNanos() < FaultPlan.HEALED_NANOS) {
            world.violate(ServiceProperty.PROGRESS, () -> client + " was not served after the faults");
        }
    }
}
