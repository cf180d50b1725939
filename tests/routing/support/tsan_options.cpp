// hnswlib locks a node and then its neighbours, in any order, while only one thread builds. TSan reports that as a
// possible deadlock, and without a stack, so that no suppression can name it.
#if defined(__SANITIZE_THREAD__)
extern "C" const char* __tsan_default_options() { return "detect_deadlocks=0"; }
#endif
