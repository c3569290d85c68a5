package habemus.client;

import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;

/** Something that is asked of the service. All of it happens on the driver's thread. */
interface PendingRequest {

    Operation operation();

    /** It is on its way in this session, by this number. */
    void onSubmitted(ActiveSession activeSession, long number);

    /** {@return whether more may be said about it} */
    boolean onResult(OperationResult operationResult);

    /** Its session is over, and it has no last answer, or is held. */
    void onSessionLost(LossReason why);

    /** It cannot be asked at all. */
    void onFailed(RuntimeException why);
}
