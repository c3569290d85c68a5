package habemus.client;

import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;

/** A request to the service. All methods are called by the driver. */
interface PendingRequest {

    Operation operation();

    /** The request was submitted in this session, with this number. */
    void onSubmitted(ActiveSession session, long number);

    /** {@return whether further results may follow} */
    boolean onResult(OperationResult result);

    /** The session has ended while the request was waiting or holding. */
    void onSessionLost(LossReason reason);

    /** The request cannot be submitted, or was rejected. */
    void onFailed(RuntimeException failure);
}
