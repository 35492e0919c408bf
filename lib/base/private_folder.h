/* SPDX-License-Identifier: BSD-3-Clause */
/* Folders that only this user can write to, so that their files can be trusted. */
#ifndef LDPC_PRIVATE_FOLDER_H
#define LDPC_PRIVATE_FOLDER_H

#include "base/status_internal.h"

#include <stdio.h>

/* Opens a folder. The owner must be this user or root, and neither group nor others may have write permission
 * (as ssh requires for its files). Returns a file descriptor, or -1 and an error message. */
int ldpc_private_folder_open(const char *path, ldpc_error *err);

/* Opens a folder as above, but first creates it with mode 700 if it does not exist. */
int ldpc_private_folder_make(const char *path, ldpc_error *err);

/* Opens a file in the folder for reading. The file must be a regular file with the owner and permissions
 * required above; symbolic links are not followed, and a pipe does not block. Returns NULL if there is no
 * such file. */
FILE *ldpc_private_file_open(int folder, const char *name);

/* Creates a file with mode 600. Returns NULL if the file exists already, or if creation fails. */
FILE *ldpc_private_file_make(int folder, const char *name);

#endif
